extension Scenario {
  /// The kinds of findings whose participants are checked, with the objects that they want.
  package static let kindsWithCulprits: Set = [
    "lockOrderCycle", "deadlock", "selfDeadlock", "queueReentry",
  ]

  /// The functions of this scenario that a finding of ``kindsWithCulprits`` has to accuse, each
  /// with the object that it wants: the object's kind, and its label or the function that made it.
  ///
  /// They are the same in each variant and mode. When a run accuses others, the message names them
  /// in this form.
  package var culprits: [String: String] { Self.culprits[id] ?? [:] }

  private static let culprits: [String: [String: String]] = [
    "callback-under-lock": ["Observed.show(_:)": "mutex of Observed.init()"],
    "cancel-under-lock": [
      "Turnstile.admitUnderLock(meanwhile:)": "taskStatusLock",
      "Turnstile.close()": "mutex of Turnstile.init()",
    ],
    "ended-owner": ["PaperStore.take(_:)": "mutex of PaperStore.init()"],
    "group-wait-on-own-queue": ["Kitchen.serve()": "group of Kitchen.cook()"],
    "hammer-and-saw": [
      "ToolShed.frameWall(meanwhile:)": "semaphore of ToolShed.init()",
      "ToolShed.cutRafter(meanwhile:)": "semaphore of ToolShed.init()",
    ],
    "lock-and-queue": [
      "DiskCache.valueUnderLock(for:meanwhile:)": "serialQueue disk",
      "closure #1 in DiskCache.cleanUp(meanwhile:done:)": "mutex of DiskCache.init()",
    ],
    "main-sync-from-main": ["TitleLabel.hopAndShow(_:)": "serialQueue main"],
    "mutual-queue-sync": [
      "Journal.note(_:)": "serialQueue journal",
      "Ledger.currentBalance.getter": "serialQueue ledger",
    ],
    "opposite-transfer": [
      "transfer(_:from:to:meanwhile:)": "mutex of Account.init(number:balance:)"
    ],
    "relock": ["Settings.set(_:for:)": "mutex of Settings.init()"],
    "sync-on-current-queue": ["PhotoList.trim()": "serialQueue photo-list"],
    "sync-through-target": ["PhotoLibrary.caption(of:)": "serialQueue captions"],
    "three-lock-ring": [
      "closure #1 in Stove.cookSoup(meanwhile:)": "mutex of Stove.init()",
      "closure #1 in Stove.cookFish(meanwhile:)": "mutex of Stove.init()",
      "closure #1 in Stove.cookSauce(meanwhile:)": "mutex of Stove.init()",
    ],
    "upgrade-read-lock": [
      "RouteTable.distanceUpgrading(to:)": "readWriteLock of RouteTable.init()"
    ],
    "wait-inside-queue": [
      "closure #1 in closure #1 in variable initialization expression of "
        + "static Scenario.waitInsideQueue": "nothing that can be held"
    ],
  ]
}
