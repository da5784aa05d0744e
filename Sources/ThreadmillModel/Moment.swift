/// When something happened, in the order that the program itself enforces.
///
/// Time is counted per slot (a slot is a thread's place in the clocks; slots are reused when
/// threads end). `knowledge[s]` is the time of slot `s` that is known to be over. Fork, join, group
/// wait, hand-over and queue order pass knowledge on; locks do not: which critical section came
/// first is chance.
/// After Fidge and Mattern (1988), with strands instead of processes.
package struct Moment: Hashable, Sendable {
  package var strand: StrandID
  package var slot: Int
  package var time: UInt32
  package var knowledge: [UInt32]

  package init(strand: StrandID, slot: Int, time: UInt32, knowledge: [UInt32]) {
    self.strand = strand
    self.slot = slot
    self.time = time
    self.knowledge = knowledge
  }

  /// Whether the program's own synchronisation puts this moment before `other`.
  package func happens(before other: Moment) -> Bool {
    if strand == other.strand { return time <= other.time }
    return slot < other.knowledge.count && time <= other.knowledge[slot]
  }

  /// Whether nothing that is known orders the two.
  package func isConcurrent(with other: Moment) -> Bool {
    !happens(before: other) && !other.happens(before: self)
  }
}
