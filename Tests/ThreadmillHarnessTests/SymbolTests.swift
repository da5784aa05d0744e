import Foundation
import Runtime
import Testing
import ThreadmillChildren
import ThreadmillTestSupport

@testable import ThreadmillModel
@testable import ThreadmillRuntime

/// Addresses of this process get names, files and lines.
@Suite struct SymbolTests {
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

  @Test(.enabled(if: Tool.clang.isThere, "there is no clang"))
  func codeThatIsLoadedLaterHasALine() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let symbolicator = Symbolicator()
    _ = symbolicator.symbolicated(finding(at: whereAmI().address))
    let library = try await Library("later", answering: 1, in: directory)
    let frame = try #require(name(of: try library.address(), by: symbolicator))
    #expect(frame.function == "answer")
    #expect(frame.file == library.source.path)
    #expect(frame.line == 2)
    #expect(frame.image == "liblater.so")
    #expect(symbolicator.accounting == ["debugUnitsNotRead": 0, "filesChangedSinceLoaded": 0])
  }

  /// The lines of another build would be wrong; what the dynamic linker knows is not.
  @Test(.enabled(if: Tool.clang.isThere, "there is no clang"))
  func aFileThatHasChangedIsNotUsed() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let library = try await Library("changing", answering: 1, in: directory)
    let address = try library.address()
    let newer = try await Library("newer", answering: 2, in: directory)
    try FileManager.default.removeItem(at: library.file)
    try FileManager.default.moveItem(at: newer.file, to: library.file)
    let symbolicator = Symbolicator()
    let frame = try #require(name(of: address, by: symbolicator))
    #expect(frame.function == "answer")
    #expect(frame.file == nil)
    #expect(frame.image == "libchanging.so")
    #expect(symbolicator.accounting["filesChangedSinceLoaded"] == 1)
  }

  private func name(of address: UInt64, by symbolicator: Symbolicator) -> Frame? {
    symbolicator.symbolicated(finding(at: address)).participants[0].frames.last
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

/// A library with one function, `answer`, whose code begins in the source's second line.
private struct Library {
  let source: URL
  let file: URL

  init(_ name: String, answering number: Int, in directory: TemporaryDirectory) async throws {
    (source, file) = (directory.file("\(name).c"), directory.file("lib\(name).so"))
    let text = "int answer(int);\nint answer(int x) { return x * \(number); }\n"
    try text.write(to: source, atomically: true, encoding: .utf8)
    try await Tool.clang.run(
      "-g", "-shared", "-fPIC", "-Wl,--build-id", source.path, "-o", file.path)
  }

  /// Behind the first byte of the function; loads the library.
  func address() throws -> UInt64 {
    let handle = try #require(dlopen(file.path, RTLD_NOW | RTLD_LOCAL))
    let function: UnsafeMutableRawPointer? = dlsym(handle, "answer")
    return UInt64(UInt(bitPattern: try #require(function))) + 1
  }
}
