#if os(Linux)
  import CThreadmillGate
  import Glibc
  import ThreadmillModel

  /// Gives addresses their names: function, file, line, as far as the debug information goes.
  ///
  /// The first address of an executable takes ten milliseconds, each other one tens of
  /// microseconds. Used when a finding is delivered, by one thread at a time.
  final class Symbolicator {
    private var known: [UInt64: [Frame]] = [:]
    private var variables: [UInt64: Frame] = [:]
    private var images = LoadedImages()

    /// The counts of debug information that could not be read, by name.
    var accounting: [String: Int] { images.accounting }

    func symbolicated(_ finding: Finding) -> Finding {
      var named = finding
      for index in named.objects.indices { lookUpVariable(of: &named.objects[index]) }
      lookUp(named)
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

    /// Names an object that no call has made, and that has no name, by its variable.
    private func lookUpVariable(of object: inout SharedObject) {
      guard object.created.isEmpty, object.label == nil else { return }
      object.variable = variable(at: object.address)
    }

    /// The global or static variable at an address; `nil` if none is there.
    func variable(at address: UInt64) -> Frame? {
      if let known = variables[address] { return known }
      variables[address] = images.variable(at: address)
      return variables[address]
    }

    private func lookUp(_ finding: Finding) {
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

    func symbolicated(_ stacks: [ThreadmillModel.Backtrace]) -> [ThreadmillModel.Backtrace] {
      lookUp(Set(stacks.joined().map(\.address)).subtracting(known.keys))
      lookUpLines(near: stacks.compactMap(innermostOfUser))
      var named = stacks
      for index in named.indices { expand(&named[index]) }
      return named
    }

    func symbolicated(_ stack: ThreadmillModel.Backtrace) -> ThreadmillModel.Backtrace {
      symbolicated([stack])[0]
    }

    /// Replaces each address by its frames: several if functions were inlined into each other.
    private func expand(_ stack: inout ThreadmillModel.Backtrace) {
      stack = stack.flatMap { known[$0.address] ?? [$0] }
    }

    /// Gives innermost frames without a line the line of the code around them. Code that the
    /// compiler adds has no line, for example the call that tells the sanitizer of an access.
    private func lookUpLines(near frames: [Frame]) {
      for address in frames.map(\.address) {
        let lacksLine = known[address]?.contains { frame in
          !frame.isSystem && frame.function != nil && frame.line == nil
        }
        guard lacksLine == true else { continue }
        if let near = images.frames(of: address, orNear: true) { known[address] = near }
      }
    }

    private func innermostOfUser(_ stack: ThreadmillModel.Backtrace) -> Frame? {
      stack.first { known[$0.address]?.contains { !$0.isSystem } == true }
    }

    private func lookUp(_ addresses: Set<UInt64>) {
      guard !addresses.isEmpty else { return }
      for address in addresses.sorted() {
        known[address] = images.frames(of: address) ?? [DynamicSymbols.frame(of: address)]
      }
    }
  }

  /// Names from the dynamic linker: exported functions and image names.
  private enum DynamicSymbols {
    static func frame(of address: UInt64) -> Frame {
      let isSystem = tm_is_system_code(UInt(address))
      var location = tm_location()
      guard address > 0, tm_locate(UInt(address - 1), &location) else {
        return Frame(address: address, isSystem: isSystem)
      }
      let path = location.image.map { String(cString: $0) } ?? ""
      return Frame(
        address: address, function: location.symbol.map { Frame.demangled(String(cString: $0)) },
        image: path.isEmpty
          ? LoadedImages.nameOfProgram : path.split(separator: "/").last.map(String.init),
        offset: address - 1 - UInt64(location.start), isSystem: isSystem)
    }
  }
#endif
