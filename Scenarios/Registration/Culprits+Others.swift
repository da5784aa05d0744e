extension Scenario {
  /// What findings of scenarios about atomicity, priority and misuse accuse.
  static let otherCulprits: [String: [String: [Accusation]]] = [
    "actor-reentrancy": [
      "assertionFailure": [["instead of 20"]]
    ],
    "blocked-main": [
      "blockedMainQueue": [
        ["about serialQueue main", "work of closure #1 in closure #1 in Scenario.blockedMain"]
      ]
    ],
    "cancel-before-start": [
      "operationMisuse": [["Preview.phase.setter", "about operation EagerPreview"]]
    ],
    "cancelled-leave": [
      "unbalancedGroup": [["about group of Batch.init()", "closure #1 in Batch.upload(_:)"]]
    ],
    "chase-lev": [
      "assertionFailure": [["instead of 0"]]
    ],
    "check-then-act": [
      "assertionFailure": [["instead of [\"bread\", \"milk\"]"]]
    ],
    "dekker-flags": [
      "assertionFailure": [["instead of 1"]]
    ],
    "early-notify": [
      "unbalancedGroup": [["Album.openEarly()", "about group of Album.openEarly()"]]
    ],
    "ended-owner": [
      "deadlock": [["PaperStore.take(_:) → mutex of PaperStore.init()"]],
      "lockMisuse": [["about mutex of PaperStore.init()"]],
    ],
    "ignored-cancel": [
      "assertionFailure": [["instead of 0"]]
    ],
    "last-owner": [
      "assertionFailure": [["instead of [1, 1]"]]
    ],
    "load-then-store": [
      "assertionFailure": [["instead of [1, 2]"]]
    ],
    "lock-inversion": [
      "priorityInversion": [
        [
          "LockedCache.image(named:) → mutex of LockedCache.init()",
          "work of inTheMiddleOfCleaning(_:onScreen:)",
        ]
      ]
    ],
    "operation-twice": [
      "operationMisuse": [
        ["about operation Download cover.png", "closure #1 in Scenario.operationTwice"],
        ["about operation Download cover.png", "closure #2 in Scenario.operationTwice"],
      ]
    ],
    "peterson-lock": [
      "assertionFailure": [["instead of 2"]]
    ],
    "queue-inversion": [
      "priorityInversion": [
        [
          "closure #1 in closure #1 in Scenario.queueInversion → serialQueue uploads",
          "work of Uploads.askDuringUpload(_:)",
        ]
      ]
    ],
    "raised-queue": [
      "priorityInversion": [["about serialQueue thumbnails", "tap(amid:_:)"]]
    ],
    "read-then-barrier": [
      "assertionFailure": [["instead of [\"Ada\", \"Bea\"]"]]
    ],
    "resumed-twice": [
      "continuationMisuse": [["Line.closeCarelessly()", "Line.receive(_:)"]]
    ],
    "ring-tail": [
      "assertionFailure": [["instead of 1"], ["instead of 2"]]
    ],
    "semaphore-freed-in-use": [
      "semaphoreMisuse": [
        ["about semaphore of Importer.init()", "closure #1 in Scenario.semaphoreFreedInUse"]
      ]
    ],
    "semaphore-inversion": [
      "priorityInversion": [
        [
          "closure #3 in Scanner.exportDuringPreview(at:) → semaphore of Scanner.init()",
          "work of Scanner.exportDuringPreview(at:)",
        ]
      ]
    ],
    "sequence-lock": [
      "assertionFailure": [["instead of 0"], ["instead of 5"]]
    ],
    "stale-delivery": [
      "assertionFailure": [["instead of face of Bea"]]
    ],
    "suspended-release": [
      "queueMisuse": [["Heartbeat.deinit", "about source of Heartbeat.init(resumesAtTheEnd:)"]]
    ],
    "synced-accessors": [
      "assertionFailure": [["instead of 2"]]
    ],
    "treiber-stack": [
      "assertionFailure": [["instead of [1, 2]"]]
    ],
    "two-step-mutex": [
      "assertionFailure": [["instead of [7]"]]
    ],
    "unbalanced-leave": [
      "unbalancedGroup": [
        ["about group of Downloads.init()", "closure #1 in closure #1 in Scenario.unbalancedLeave"]
      ]
    ],
  ]
}
