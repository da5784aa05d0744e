import Foundation

/// What the gate says of a layout (`tm_fit` in `threadmill_layouts.h`).
enum LayoutFit: UInt32 {
  case unknown, yes, no

  var word: String {
    switch self {
    case .unknown: "unknown"
    case .yes: "fits"
    case .no: "differs"
    }
  }
}

/// Makes one object of each kind whose layout the gate reads, and prints what the gate, which is
/// preloaded, says of the layouts.
enum LayoutExercise {
  /// Returns how the process is to end.
  static func run(_ console: Console) -> ExitStatus {
    let isOver = DispatchSemaphore(value: 0)
    Task.detached {
      await useTasks()
      isOver.signal()
    }
    isOver.wait()
    useFoundation()
    guard let lines = Gate()?.lines else { return .harnessFailed }
    console.say(lines)
    return .nothingFound
  }

  private actor Counter {
    private var count = 0
    func add() { count += 1 }
  }

  private static func useTasks() async {
    await Counter().add()
    await withUnsafeContinuation { $0.resume() }
    await withCheckedContinuation { $0.resume() }
  }

  private static func useFoundation() {
    let (first, second) = (BlockOperation(), BlockOperation())
    second.addDependency(first)
    let queue = OperationQueue()
    queue.addOperations([first, second], waitUntilFinished: true)
    second.willChangeValue(for: \.isFinished)
    second.didChangeValue(for: \.isFinished)
    NSLock().withLock {}
  }
}

/// The functions of the gate, found by name: the tool links no gate.
private struct Gate {
  private let fit: @convention(c) (UInt32) -> UInt32
  private let name: @convention(c) (UInt32) -> UnsafePointer<CChar>
  private let count: UInt32

  init?() {
    let program = dlopen(nil, RTLD_NOW)
    guard let fit = dlsym(program, "tm_layout_fit"), let name = dlsym(program, "tm_layout_name"),
      let count = dlsym(program, "tm_layout_count")
    else { return nil }
    self.fit = unsafeBitCast(fit, to: (@convention(c) (UInt32) -> UInt32).self)
    self.name = unsafeBitCast(
      name, to: (@convention(c) (UInt32) -> UnsafePointer<CChar>).self)
    self.count = unsafeBitCast(count, to: (@convention(c) () -> UInt32).self)()
  }

  var lines: String {
    (0..<count).map { layout in
      let fit = LayoutFit(rawValue: fit(layout)) ?? .unknown
      return "\(String(cString: name(layout))) \(fit.word)\n"
    }.joined()
  }
}
