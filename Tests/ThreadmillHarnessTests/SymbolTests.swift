import Foundation
import Runtime
import Testing

@testable import ThreadmillModel
@testable import ThreadmillRuntime

/// What Threadmill takes for granted about the toolchain's symboliser.
@Suite struct SymbolTests {
  @Test func base64IsFoundations() {
    var state: [UInt16] = [7, 0, 0]
    for count in 0..<100 {
      let bytes = (0..<count).map { _ in UInt8(erand48(&state) * 256) }
      let padded = Data(bytes).base64EncodedString()
      #expect(CompactBacktrace.base64(bytes) == padded.filter { $0 != "=" })
    }
  }

  /// The form that the toolchain reads gives back the addresses that went in.
  @Test func addressesSurvive() throws {
    let addresses: [UInt64] = [0x1234, 0x7fff_1234_5678, 1, .max >> 1]
    let stack = try CompactBacktrace(returnAddresses: addresses).decoded()
    let back = stack.frames.compactMap { UInt64($0.originalProgramCounter) }
    #expect(back == addresses)
    #expect(try CompactBacktrace(returnAddresses: []).decoded().frames.map { _ in 1 } == [])
  }

  @Test func aFunctionsAddressGivesNameFileAndLine() throws {
    let place = whereAmI()
    let named = Symbolicator().symbolicated(finding(at: place.address))
    let frame = try #require(named.participants[0].frames.first { $0.file != nil })
    #expect(frame.function == "whereAmI()")
    #expect(frame.file == #filePath)
    #expect(frame.line == place.line)
    #expect(!frame.isSystem)
    #expect(frame.image?.hasSuffix(".xctest") == true)
  }

  /// A name without a place: demangled all the same.
  @Test func libraryFunctionsAreDemangled() throws {
    let address = try #require(dlsym(nil, "$ss5print_9separator10terminatoryypd_S2StF"))
    let inside = UInt64(UInt(bitPattern: address)) + 1
    let named = Symbolicator().symbolicated(finding(at: inside))
    let frame = try #require(named.participants[0].frames.last)
    #expect(frame.function?.hasPrefix("print(_:separator:terminator:)") == true)
    #expect(frame.image == "libswiftCore.so")
  }

  @Test func anAddressOfNobodyKeepsItsPlace() throws {
    let named = Symbolicator().symbolicated(finding(at: 0x10))
    #expect(named.participants[0].frames.map(\.address) == [0x10])
    #expect(named.participants[0].frames[0].function == nil)
  }

  private func finding(at address: UInt64) -> Finding {
    Finding(
      kind: .deadlock, status: .observed, title: "",
      participants: [.init(thread: .init(1), role: "", frames: [Frame(address: address)])])
  }
}

/// A return address in this function, and the line of the call that returns there.
@inline(never) private func whereAmI() -> (address: UInt64, line: Int) {
  let stack = try? Backtrace.capture()
  let line = #line - 1
  let innermost = stack.map { Array($0.frames) }?.first?.originalProgramCounter
  return (innermost.flatMap { UInt64($0) } ?? 0, line)
}
