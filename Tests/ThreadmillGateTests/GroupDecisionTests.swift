import CThreadmillGate
import Testing

/// The gate's rules for dispatch groups: early notifications, and waits inside of a queue.
@Suite struct GroupDecisionTests {
  // MARK: Early notification

  private static let notify = tm_group_step(
    deed: .TM_GROUP_NOTIFY, by_known_call: true, by_asker: false, with_block: false,
    by_other_strand: false)
  private static let enter = tm_group_step(
    deed: .TM_GROUP_ENTER, by_known_call: false, by_asker: true, with_block: false,
    by_other_strand: false)
  private static let leave = tm_group_step(
    deed: .TM_GROUP_LEAVE, by_known_call: false, by_asker: false, with_block: false,
    by_other_strand: true)
  private static let wait = tm_group_step(
    deed: .TM_GROUP_WAIT, by_known_call: false, by_asker: false, with_block: false,
    by_other_strand: false)

  private static func but(
    _ step: tm_group_step, _ change: (inout tm_group_step) -> Void
  ) -> tm_group_step {
    var step = step
    change(&step)
    return step
  }

  private static let unknownCall = but(notify) { $0.by_known_call = false }
  private static let block = but(enter) { $0.with_block = true }
  private static let stranger = but(enter) { $0.by_asker = false }
  private static let ownLeave = but(leave) { $0.by_other_strand = false }

  private func wasEarly(_ steps: [tm_group_step], whole: Bool = true) -> Bool {
    tm_was_notified_early(steps.reduce(.TM_EARLY_NEW) { tm_early_next($0, $1) }, whole)
  }

  @Test(
    "notified early",
    arguments: [
      [notify, enter, leave], [notify, block], [notify, enter, ownLeave, leave],
      [notify, enter, stranger, leave, leave],
    ])
  func notifiedEarly(steps: [tm_group_step]) { #expect(wasEarly(steps)) }

  @Test(
    "not notified early",
    arguments: [
      [], [notify], [enter, notify, leave], [notify, enter], [notify, enter, ownLeave],
      [notify, stranger, leave], [unknownCall, enter, leave], [notify, notify, enter, leave],
      [notify, enter, leave, notify], [notify, enter, leave, wait], [wait, notify, enter, leave],
      [notify, leave, wait],
    ])
  func notNotifiedEarly(steps: [tm_group_step]) { #expect(!wasEarly(steps)) }

  @Test func aGroupOfUnknownOriginIsNotAccused() {
    #expect(!wasEarly([Self.notify, Self.enter, Self.leave], whole: false))
  }

  // MARK: Waits for a group inside of a queue

  private static let own = tm_link_signs(
    suspended: false, main_here: false, serial: true, held: true, owner_known: true, owned: true)

  private static func but(
    _ link: tm_link_signs, _ change: (inout tm_link_signs) -> Void
  ) -> tm_link_signs {
    var link = link
    change(&link)
    return link
  }

  private static let others = but(own) { $0.held = false }

  @Test func oneThreadHasAQueueToItself() {
    #expect(tm_has_to_itself(Self.own))
    #expect(tm_has_to_itself(Self.but(Self.own) { ($0.owner_known, $0.owned) = (false, false) }))
    #expect(
      tm_has_to_itself(
        Self.but(Self.own) { ($0.main_here, $0.serial, $0.held) = (true, true, false) }))
    #expect(!tm_has_to_itself(Self.others))
    #expect(!tm_has_to_itself(Self.but(Self.own) { $0.serial = false }))
    #expect(!tm_has_to_itself(Self.but(Self.own) { $0.owned = false }))
  }

  private func way(_ links: [tm_link_signs]) -> UInt32 {
    links.withUnsafeBufferPointer { tm_way_to_own($0.baseAddress, UInt32($0.count)) }
  }

  @Test func theWayEndsAtTheFirstQueueOfItsOwn() {
    let suspended = Self.but(Self.others) { $0.suspended = true }
    #expect(way([Self.own]) == 1)
    #expect(way([Self.others, Self.own, Self.own]) == 2)
    #expect(way([Self.own, suspended]) == 1)
    #expect(way([]) == 0)
    #expect(way([Self.others, Self.others]) == 0)
    #expect(way([suspended, Self.own]) == 0)
    #expect(way([Self.but(Self.own) { $0.suspended = true }]) == 0)
  }

  @Test func aBlockIsCertainlyMissing() {
    let here = tm_block_signs(
      waits: true, queued: true, submitted_here: true, submission_known: false,
      in_the_same_queue: true)
    func missing(_ change: (inout tm_block_signs) -> Void) -> Bool {
      var signs = here
      change(&signs)
      return tm_is_certainly_missing(signs)
    }
    #expect(missing { _ in })
    #expect(missing { ($0.submitted_here, $0.submission_known) = (false, true) })
    #expect(!missing { $0.waits = false })
    #expect(!missing { $0.queued = false })
    #expect(!missing { $0.submitted_here = false })
    #expect(!missing { $0.in_the_same_queue = false })
  }
}
