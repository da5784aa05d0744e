import CThreadmillGate

// Reads and writes of memory, which are points of jitter in a build with Thread Sanitizer that was
// linked with `--wrap`. Prints how many of them there were, and the sum.

final class Sum {
  var value = 0
}

@main struct Main {
  static func main() {
    let limit = 8_192
    let room = UnsafeMutablePointer<tm_shaken>.allocate(capacity: limit)
    room.initialize(repeating: tm_shaken(), count: limit)
    let sum = Sum()
    tm_shake_record(room, UInt32(limit))
    for number in 1...1_000 { sum.value += number }
    let points = UnsafeBufferPointer(start: room, count: Int(tm_shake_recorded()))
    print("memory", points.count { $0.point == TM_POINT_MEMORY })
    print("sum", sum.value)
  }
}
