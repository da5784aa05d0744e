import CThreadmillConformance

/// One case that needs no `await`: a process of its own runs `body` on its main thread.
struct Case: Sendable {
  let name: StaticString
  /// How the process has to end, in the words of `conformance_case.ends`.
  var ends: Int32 = 0
  /// Why the case cannot run under Thread Sanitizer, with or without the gate.
  var unlikeTSan: StaticString?
  let body: @convention(c) () -> Void

  init(
    _ name: StaticString, ends: Int32 = 0, unlikeTSan: StaticString? = nil,
    body: @escaping @convention(c) () -> Void
  ) {
    self.name = name
    self.ends = ends
    self.unlikeTSan = unlikeTSan
    self.body = body
  }
}

/// One case that runs inside `async` main.
struct AsyncCase: Sendable {
  let name: StaticString
  var ends: Int32 = 0
  let body: @Sendable () async -> Void

  init(_ name: StaticString, ends: Int32 = 0, body: @escaping @Sendable () async -> Void) {
    self.name = name
    self.ends = ends
    self.body = body
  }
}

/// Runs the program of the cases of Dispatch and Foundation; returns its exit status.
package func runSwiftCases() -> Int32 {
  let cases =
    queueCases + workCases + lifetimeCases + mainCases + lockCases + foundationCases
    + operationCases
  return supervise(
    cases.map {
      conformance_case(
        name: $0.name.text, body: $0.body, ends: $0.ends, unlike_tsan: $0.unlikeTSan?.text)
    })
}

/// Runs the program of the cases of Swift concurrency; returns its exit status.
package func runAsyncCases() async -> Int32 {
  let cases = taskCases + sequenceCases + boundaryCases
  guard let wanted = CommandLine.arguments.dropFirst().first,
    let chosen = cases.first(where: { $0.name.description == wanted })
  else {
    return supervise(
      cases.map {
        conformance_case(name: $0.name.text, body: nil, ends: $0.ends, unlike_tsan: nil)
      })
  }
  conformance_begin()
  await chosen.body()
  return conformance_failures() == 0 ? 0 : 1
}

/// Hands the table to the supervisor. The table lives as long as the process.
private func supervise(_ cases: [conformance_case]) -> Int32 {
  let table = UnsafeMutablePointer<conformance_case>.allocate(capacity: cases.count + 1)
  table.initialize(from: cases, count: cases.count)
  (table + cases.count).initialize(to: conformance_case())
  let tables: [UnsafePointer<conformance_case>?] = [UnsafePointer(table), nil]
  return tables.withUnsafeBufferPointer {
    guard let start = $0.baseAddress else { return 2 }
    return conformance_main(CommandLine.argc, CommandLine.unsafeArgv, start)
  }
}

extension StaticString {
  fileprivate var text: UnsafePointer<CChar> {
    UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
