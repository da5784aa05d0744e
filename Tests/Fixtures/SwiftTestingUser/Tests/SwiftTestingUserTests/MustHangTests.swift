import Dispatch
import Foundation
import Testing
import ToolShed

// Tests that never end, and some that take their time; they run only where somebody asks for them.

private let isPatient = ProcessInfo.processInfo.environment["TOOL_SHED_IS_PATIENT"] != nil

@Test(.enabled(if: isPatient)) func mustHangOnALoan() {
  Loan().waitForReturn()
}

@Test(.enabled(if: isPatient)) func mustHangOnAnAnswer() async {
  await Loan().answer()
}

@Test(.enabled(if: isPatient)) func mustHangOnAStream() async {
  let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
  for await number in stream where number < 0 { continuation.finish() }
}

@Test(.enabled(if: isPatient)) func mustHangOnATask() async {
  let answer = Task { await Loan().answer() }
  await answer.value
}

@Test(.enabled(if: isPatient)) func mustWaitForALateAnswer() async {
  await withUnsafeContinuation { continuation in
    DispatchQueue.global().asyncAfter(deadline: .now() + 3) { continuation.resume() }
  }
}

@Test(.enabled(if: isPatient)) func mustWaitForAChild() async throws {
  let child = Process()
  child.executableURL = URL(filePath: "/bin/sleep")
  child.arguments = ["3"]
  await withUnsafeContinuation { continuation in
    child.terminationHandler = { _ in continuation.resume() }
    do { try child.run() } catch { continuation.resume() }
  }
}

@Test(.enabled(if: isPatient)) func mustWaitForAnotherProcess() async throws {
  let (child, output) = (Process(), Pipe())
  child.executableURL = URL(filePath: "/bin/sh")
  child.arguments = ["-c", "sleep 3; echo done"]
  child.standardOutput = output
  try child.run()
  let source = DispatchSource.makeReadSource(
    fileDescriptor: output.fileHandleForReading.fileDescriptor)
  await withUnsafeContinuation { continuation in
    source.setEventHandler {
      source.cancel()
      continuation.resume()
    }
    source.activate()
  }
}

@Test(.enabled(if: isPatient)) func mustWaitForASleeper() async throws {
  let sleeper = Task { try await Task.sleep(for: .seconds(3)) }
  await withUnsafeContinuation { continuation in
    Task {
      try? await sleeper.value
      continuation.resume()
    }
  }
}
