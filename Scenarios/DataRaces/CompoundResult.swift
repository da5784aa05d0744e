import Dispatch

extension Scenario {
  /// Each filter of a picture doubles its size, and the filters run on a concurrent queue.
  ///
  /// **What people write.** `scale = scale * 2` in every filter. The filters do not depend on each
  /// other, and the order of doublings does not matter, so a concurrent queue will do.
  ///
  /// **Why it breaks.** The order does not matter, but a doubling that starts from an old number
  /// takes back all that was done in between.
  ///
  /// **How it shows.** Any power of two comes out. The picture is rarely too small, by any amount,
  /// and always right when somebody looks.
  ///
  /// **Repair.** The number goes into a type that owns it together with a serial queue.
  static let compoundResult = Scenario(
    id: "compound-result", fault: .dataRaces,
    summary: "Blocks on a concurrent queue double one result.",
    expectations: [
      .flawed: .init(
        .mayErr, observe: .missed, tsan: .finds("dataRace"),
        explore: .finds("dataRace", allowing: "assertionFailure")),
      .harmful: .init(.errs, observe: .missed, tsan: .finds("dataRace")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let picture = Picture()
      let start = Arrivals()
      runTwice {
        start.meet(2, limit: .infinity)
        for _ in 0..<5 { picture.double() }
      }
      demand(picture.scale, equals: 1024)
    },
    harmful: {
      let picture = Picture()
      let meeting = Arrivals()
      runTwice {
        picture.double { meeting.meet(2, limit: .infinity) }
      }
      demand(picture.scale, equals: 4)
    },
    repaired: {
      let scale = Scale()
      let meeting = Arrivals()
      runTwice { scale.double { meeting.meet(2, limit: 0.1) } }
      demand(scale.value, equals: 4)
    })
}

/// Runs two filters that do the same, and returns when both are done.
private func runTwice(_ filter: @escaping @Sendable () -> Void) {
  let filters = DispatchQueue(label: "filters", attributes: .concurrent)
  let group = DispatchGroup()
  filters.async(group: group, execute: filter)
  filters.async(group: group, execute: filter)
  group.wait()
}

private final class Picture: @unchecked Sendable {
  // Guarded by nothing.
  private(set) var scale = 1

  /// `meanwhile` stands for what a busy machine does between reading and writing.
  func double(meanwhile: () -> Void = {}) {
    let before = scale
    meanwhile()
    scale = before * 2
  }
}

private final class Scale: @unchecked Sendable {
  private let queue = DispatchQueue(label: "scale")
  // Used on the queue only.
  private var number = 1

  var value: Int { queue.sync { number } }

  func double(meanwhile: () -> Void) {
    queue.sync {
      let before = number
      meanwhile()
      number = before * 2
    }
  }
}
