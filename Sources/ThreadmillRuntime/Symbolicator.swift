#if os(Linux)
  import CThreadmillGate
  import Glibc
  import Runtime
  import ThreadmillModel

  /// Gives addresses their names: function, file, line, as far as the debug information goes.
  ///
  /// Slow (a millisecond for the first, tens of microseconds for others): used when a finding is
  /// delivered, by one thread at a time.
  final class Symbolicator {
    private var known: [UInt64: [Frame]] = [:]
    private var symbols = DebugSymbols()

    func symbolicated(_ finding: Finding) -> Finding {
      var stacks = finding.objects.map(\.created)
      for participant in finding.participants {
        stacks.append(participant.frames)
        stacks.append(participant.submitted)
        stacks += participant.holds.map(\.frames)
      }
      stacks += finding.facts.map(\.frames)
      lookUp(Set(stacks.joined().map(\.address)).subtracting(known.keys))
      if finding.kind == .dataRace {
        lookUpLines(near: finding.participants.compactMap(\.frames.first))
      }
      var named = finding
      for index in named.objects.indices { expand(&named.objects[index].created) }
      for index in named.facts.indices { expand(&named.facts[index].frames) }
      for index in named.participants.indices {
        expand(&named.participants[index].frames)
        expand(&named.participants[index].submitted)
        for hold in named.participants[index].holds.indices {
          expand(&named.participants[index].holds[hold].frames)
        }
      }
      return named
    }

    func symbolicated(
      _ classes: [ContentionProfile.LockClass]
    ) -> [ContentionProfile.LockClass] {
      let stacks = classes.flatMap { [$0.place, $0.longestHolder] }
      lookUp(Set(stacks.joined().map(\.address)).subtracting(known.keys))
      return classes.map { one in
        var named = one
        expand(&named.place)
        expand(&named.longestHolder)
        return named
      }
    }

    func symbolicated(_ graph: LockGraph) -> LockGraph {
      let stacks = graph.classes.map(\.place) + graph.edges.map(\.place)
      lookUp(Set(stacks.joined().map(\.address)).subtracting(known.keys))
      var (classes, edges) = (graph.classes, graph.edges)
      for index in classes.indices { expand(&classes[index].place) }
      for index in edges.indices { expand(&edges[index].place) }
      return LockGraph(classes: classes, edges: edges)
    }

    func symbolicated(_ recording: Trace.Recording) -> Trace.Recording {
      let stacks = recording.locks.map(\.place) + recording.places
      lookUp(Set(stacks.joined().map(\.address)).subtracting(known.keys))
      var named = recording
      for index in named.locks.indices { expand(&named.locks[index].place) }
      for index in named.places.indices { expand(&named.places[index]) }
      return named
    }

    /// One address becomes several frames where functions were inlined into each other.
    private func expand(_ stack: inout ThreadmillModel.Backtrace) {
      stack = stack.flatMap { known[$0.address] ?? [$0] }
    }

    /// The compiler's own code around an access, such as what tells the sanitizer of it, has no
    /// line; it stands right before the access, whose line is the one that a reader needs.
    private func lookUpLines(near frames: [Frame]) {
      for address in frames.map(\.address) {
        guard let frame = known[address]?.last, frame.function != nil, frame.line == nil,
          !frame.isSystem
        else { continue }
        let next = (1...Self.reach).map { address + UInt64($0) * 4 }
        lookUp(Set(next).subtracting(known.keys))
        let other = next.lazy.compactMap { self.known[$0]?.last }.first { $0.line != nil }
        guard let other, other.function == frame.function else { continue }
        known[address]?.removeLast()
        known[address]?.append(frame.placed(at: other))
      }
    }

    /// In steps of 4 bytes.
    private static let reach = 24

    private func lookUp(_ addresses: Set<UInt64>) {
      guard !addresses.isEmpty else { return }
      let found = symbols.frames(of: addresses.sorted())
      for address in addresses {
        known[address] = found[address] ?? [DynamicSymbols.frame(of: address)]
      }
    }
  }

  /// What the toolchain's own symboliser says: it reads debug information.
  private struct DebugSymbols {
    /// Taken once, while the process has one thread.
    ///
    /// Taking it walks over all file mappings and reads them; a mapping that another thread removes
    /// meanwhile is a fault (measured). Code loaded later is left to the dynamic linker's symbols.
    private let images = ImageMap.capture()

    func frames(of addresses: [UInt64]) -> [UInt64: [Frame]] {
      let covered = addresses.filter { address in
        Runtime.Backtrace.Address(address).flatMap { images.indexOfImage(at: $0) } != nil
      }
      guard !covered.isEmpty, let stack = try? CompactBacktrace(returnAddresses: covered).decoded(),
        let symbolicated = stack.symbolicated(with: images)
      else { return [:] }
      var result: [UInt64: [Frame]] = [:]
      for frame in symbolicated.frames {
        guard let address = UInt64(frame.captured.originalProgramCounter),
          let symbol = frame.symbol, symbol.rawName != "<unknown>"
        else { continue }
        result[address, default: []].append(Frame(symbol, at: address, isThunk: frame.isSwiftThunk))
      }
      return result
    }
  }

  extension Frame {
    fileprivate func placed(at other: Frame) -> Frame {
      var placed = self
      (placed.file, placed.line, placed.column) = (other.file, other.line, other.column)
      return placed
    }

    fileprivate init(
      _ symbol: SymbolicatedBacktrace.Symbol, at address: UInt64, isThunk: Bool
    ) {
      let place = symbol.sourceLocation.flatMap { $0.line > 0 ? $0 : nil }
      self.init(
        address: address, function: symbol.name, file: place?.path, line: place?.line,
        column: place.flatMap { $0.column > 0 ? $0.column : nil }, image: symbol.imageName,
        offset: UInt64(max(0, symbol.offset)),
        isSystem: isThunk || tm_is_system_code(UInt(address)) || symbol.isThreadmills
          || symbol.isSanitizers)
    }
  }

  extension SymbolicatedBacktrace.Symbol {
    /// Code of ours that a user calls, which lies in the user's own image. The prefixes are how the
    /// mangled names of all functions of these modules begin.
    fileprivate var isThreadmills: Bool {
      ["$s10Threadmill", "$s17ThreadmillRuntime"].contains(where: rawName.hasPrefix)
    }
  }

  extension SymbolicatedBacktrace.Symbol {
    /// Code of Thread Sanitizer, which is linked into the user's own image.
    fileprivate var isSanitizers: Bool {
      ["__interceptor_", "___interceptor_", "__tsan", "_ZN6__tsan", "_ZN11__sanitizer"]
        .contains(where: rawName.hasPrefix)
    }
  }

  /// What the dynamic linker knows: exported functions and image names.
  private enum DynamicSymbols {
    static func frame(of address: UInt64) -> Frame {
      let isSystem = tm_is_system_code(UInt(address))
      var location = tm_location()
      guard tm_locate(UInt(address), &location) else {
        return Frame(address: address, isSystem: isSystem)
      }
      let path = location.image.map { String(cString: $0) }
      return Frame(
        address: address, function: location.symbol.map(demangled),
        image: path?.split(separator: "/").last.map(String.init),
        offset: address - UInt64(location.start), isSystem: isSystem)
    }

    private static func demangled(_ name: UnsafePointer<CChar>) -> String {
      guard let text = tm_demangle(name) else { return String(cString: name) }
      defer { free(text) }
      return String(cString: text)
    }
  }
#endif
