/// The steps of a run, in memory that outlives the process. Each step is written before it is
/// taken, so that the schedule of a run that crashes is known.
///
/// A header of 24 bytes: the mark, how many steps there are, and the number of the run. Then 16
/// bytes for each step. The count is 0 between runs.
package struct ScheduleTrail {
  /// The greatest number of steps of a run that is kept; a longer run is not kept at all.
  package static let mostSteps = 1 << 19
  package static let size = headerSize + mostSteps * stepSize
  private static let headerSize = 24
  private static let stepSize = 16
  private static let mark: UInt64 = 0x0031_4C49_4152_5454
  private static let countOffset = 8
  private static let numberOffset = 16
  private static let pickShift: UInt64 = 48

  private let memory: UnsafeMutableRawPointer

  /// - Parameter memory: of ``size`` bytes, all zero; it has to stay.
  package init(in memory: UnsafeMutableRawPointer) {
    self.memory = memory
    memory.storeBytes(of: Self.mark, as: UInt64.self)
  }

  /// A run begins, which has this number among those of its exploration, from 1.
  package func begin(run number: Int) {
    setCount(0)
    memory.storeBytes(of: UInt64(number), toByteOffset: Self.numberOffset, as: UInt64.self)
  }

  /// A run is over.
  package func clear() { setCount(0) }

  /// The next step is about to be taken.
  package func append(_ step: Offer, isForced: Bool) {
    let count = Int(memory.load(fromByteOffset: Self.countOffset, as: UInt64.self))
    if count < Self.mostSteps {
      let place = memory + Self.headerSize + count * Self.stepSize
      place.storeBytes(of: step.object, as: UInt64.self)
      let flags: UInt64 = (step.writes ? 1 : 0) | (isForced ? 2 : 0)
      let word = UInt64(step.strand) | UInt64(step.operation.rawValue) << 32 | flags << 40
      place.storeBytes(of: word, toByteOffset: 8, as: UInt64.self)
    }
    setCount(count + 1)
  }

  /// The access of the last step reads another store than the newest one; see `Schedule.Pick`.
  package func pick(_ choice: Int) {
    let count = Int(memory.load(fromByteOffset: Self.countOffset, as: UInt64.self))
    guard (1...Self.mostSteps).contains(count) else { return }
    let place = memory + Self.headerSize + (count - 1) * Self.stepSize + 8
    let word = place.load(as: UInt64.self)
    place.storeBytes(of: word | UInt64(choice) << Self.pickShift, as: UInt64.self)
  }

  private func setCount(_ count: Int) {
    memory.storeBytes(of: UInt64(count), toByteOffset: Self.countOffset, as: UInt64.self)
  }

  /// The schedule of the run that goes on or was cut short; `nil` if there is none.
  package var schedule: Schedule? {
    Self.schedule(in: UnsafeRawBufferPointer(start: memory, count: Self.size))
  }

  /// The number of the run that goes on or was cut short; `nil` if there is none.
  package static func number(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard schedule(in: bytes) != nil else { return nil }
    return Int(exactly: bytes.loadUnaligned(fromByteOffset: numberOffset, as: UInt64.self))
  }

  /// The same of what was left behind.
  package static func schedule(in bytes: UnsafeRawBufferPointer) -> Schedule? {
    guard bytes.count >= headerSize, bytes.loadUnaligned(as: UInt64.self) == mark else {
      return nil
    }
    let written = bytes.loadUnaligned(fromByteOffset: countOffset, as: UInt64.self)
    guard let count = Int(exactly: written), (1...mostSteps).contains(count),
      bytes.count >= headerSize + count * stepSize
    else { return nil }
    var recorder = ScheduleRecorder()
    for index in 0..<count {
      let place = headerSize + index * stepSize
      let word = bytes.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self)
      guard let operation = OperationKind(rawValue: UInt8(truncatingIfNeeded: word >> 32)) else {
        return nil
      }
      let step = Offer(
        strand: UInt32(truncatingIfNeeded: word), operation,
        object: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self),
        writes: word >> 40 & 1 == 1)
      recorder.append(step, isForced: word >> 41 & 1 == 1)
      if word >> Self.pickShift != 0 { recorder.pick(Int(word >> Self.pickShift)) }
    }
    return recorder.schedule
  }
}
