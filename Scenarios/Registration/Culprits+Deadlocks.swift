extension Scenario {
  /// What findings of scenarios about deadlocks and hangs accuse.
  static let deadlockCulprits: [String: [String: [Accusation]]] = [
    "callback-under-lock": [
      "lockOrderCycle": [["Observed.show(_:) → mutex of Observed.init()"]]
    ],
    "cancel-under-lock": [
      "lockOrderCycle": [
        [
          "Turnstile.admitUnderLock(meanwhile:) → taskStatusLock",
          "Turnstile.close() → mutex of Turnstile.init()",
        ]
      ]
    ],
    "cancelled-between-jobs": [
      "hang": [
        [
          "JobBoard.next(meanwhile:)", "closure #1 in Scenario.cancelledBetweenJobs",
          "closure #1 in Scenario.cancelledBetweenJobs → semaphore",
        ],
        [
          "JobBoard.next(meanwhile:)", "closure #2 in Scenario.cancelledBetweenJobs",
          "closure #2 in Scenario.cancelledBetweenJobs → semaphore",
        ],
        [
          "closure #1 in Scenario.cancelledBetweenJobs → "
            + "semaphore of closure #1 in Scenario.cancelledBetweenJobs"
        ],
        [
          "closure #2 in Scenario.cancelledBetweenJobs → "
            + "semaphore of closure #2 in Scenario.cancelledBetweenJobs"
        ],
        [
          "JobBoard.next(meanwhile:)", "about continuation of JobBoard.next(meanwhile:)",
          "closure #1 in Scenario.cancelledBetweenJobs",
        ],
        [
          "JobBoard.next(meanwhile:)", "about continuation of JobBoard.next(meanwhile:)",
          "closure #2 in Scenario.cancelledBetweenJobs",
        ],
      ]
    ],
    "cancelled-between-letters": [
      "hang": [
        [
          "LetterBox.next(meanwhile:)", "closure #1 in Scenario.cancelledBetweenLetters",
          "closure #1 in Scenario.cancelledBetweenLetters → semaphore",
        ],
        [
          "LetterBox.next(meanwhile:)", "closure #2 in Scenario.cancelledBetweenLetters",
          "closure #2 in Scenario.cancelledBetweenLetters → semaphore",
        ],
        [
          "closure #1 in Scenario.cancelledBetweenLetters → "
            + "semaphore of closure #1 in Scenario.cancelledBetweenLetters"
        ],
        [
          "closure #2 in Scenario.cancelledBetweenLetters → "
            + "semaphore of closure #2 in Scenario.cancelledBetweenLetters"
        ],
        [
          "LetterBox.next(meanwhile:)", "about continuation of LetterBox.next(meanwhile:)",
          "closure #1 in Scenario.cancelledBetweenLetters",
        ],
        [
          "LetterBox.next(meanwhile:)", "about continuation of LetterBox.next(meanwhile:)",
          "closure #2 in Scenario.cancelledBetweenLetters",
        ],
      ]
    ],
    "completion-on-blocked-queue": [
      "hang": [
        ["Downloader.contents() → semaphore"],
        ["Downloader.contents() → semaphore of Downloader.contents()"],
      ]
    ],
    "dropped-continuation": [
      "continuationMisuse": [["closure #1 in lookUp(_:)"]]
    ],
    "group-wait-on-own-queue": [
      "deadlock": [["Kitchen.serve() → group of Kitchen.cook()"]]
    ],
    "hammer-and-saw": [
      "lockOrderCycle": [
        [
          "ToolShed.cutRafter(meanwhile:) → semaphore of ToolShed.init()",
          "ToolShed.frameWall(meanwhile:) → semaphore of ToolShed.init()",
        ]
      ]
    ],
    "lock-across-await": [
      "lockAcrossSuspension": [
        ["Catalogue.refreshInOneStep()", "about mutex of Catalogue.init()"]
      ],
      "poolStarvation": [["Catalogue.price(of:) → mutex of Catalogue.init()"]],
    ],
    "lock-and-queue": [
      "lockOrderCycle": [
        [
          "DiskCache.valueUnderLock(for:meanwhile:) → serialQueue disk",
          "closure #1 in DiskCache.cleanUp(meanwhile:done:) → mutex of DiskCache.init()",
        ]
      ]
    ],
    "lost-demand": [
      "hang": [
        [
          "Player.nextInTwoSteps(meanwhile:)", "Player.offerInTwoSteps(_:meanwhile:)",
          "about continuation of Player.nextInTwoSteps(meanwhile:)",
          "about continuation of Player.offerInTwoSteps(_:meanwhile:)",
          "closure #2 in Scenario.lostDemand",
        ],
        [
          "Player.nextInTwoSteps(meanwhile:)", "Player.offerInTwoSteps(_:meanwhile:)",
          "closure #1 in Scenario.lostDemand", "closure #1 in Scenario.lostDemand → group",
        ],
        [
          "Player.nextInTwoSteps(meanwhile:)", "Player.offerInTwoSteps(_:meanwhile:)",
          "closure #2 in Scenario.lostDemand", "closure #2 in Scenario.lostDemand → group",
        ], ["closure #2 in Scenario.lostDemand → group of closure #2 in Scenario.lostDemand"],
        [
          "Player.nextInTwoSteps(meanwhile:)", "Player.offerInTwoSteps(_:meanwhile:)",
          "about continuation of Player.nextInTwoSteps(meanwhile:)",
          "about continuation of Player.offerInTwoSteps(_:meanwhile:)",
          "closure #1 in Scenario.lostDemand",
        ], ["closure #1 in Scenario.lostDemand → group of closure #1 in Scenario.lostDemand"],
      ]
    ],
    "lost-wakeup": [
      "hang": [
        [
          "closure #1 in Photo.waitBlindly() → condition",
          "closure #1 in Scenario.lostWakeup → group",
        ],
        [
          "closure #1 in Photo.waitBlindly() → condition",
          "closure #2 in Scenario.lostWakeup → group",
        ], ["closure #1 in Photo.waitBlindly() → condition of Photo.init()"],
        ["closure #1 in Scenario.lostWakeup → group of closure #1 in Scenario.lostWakeup"],
        ["closure #2 in Scenario.lostWakeup → group of closure #2 in Scenario.lostWakeup"],
      ]
    ],
    "main-sync-from-main": [
      "queueReentry": [["TitleLabel.hopAndShow(_:) → serialQueue main"]]
    ],
    "missing-leave": [
      "hang": [["Book.read(_:) → group"], ["Book.read(_:) → group of Book.init(pages:)"]]
    ],
    "missing-signal": [
      "hang": [["Shop.serve(_:) → semaphore"], ["Shop.serve(_:) → semaphore of Shop.init()"]]
    ],
    "mutex-across-await": [
      "lockAcrossSuspension": [
        ["Forecast.refreshInOneStep()", "about synchronizationMutex Forecast.lock"]
      ]
    ],
    "mutex-and-queue": [
      "lockOrderCycle": [
        [
          "closure #1 in Printer.cancelUnderLock(_:meanwhile:) → serialQueue device",
          "closure #1 in Printer.finish(_:meanwhile:done:) → synchronizationMutex Printer.jobs",
        ]
      ]
    ],
    "mutex-relock": [
      "selfDeadlock": [["Museum.isFull.getter → synchronizationMutex Museum.visitors"]]
    ],
    "mutual-queue-sync": [
      "lockOrderCycle": [
        [
          "Journal.note(_:) → serialQueue journal",
          "Ledger.currentBalance.getter → serialQueue ledger",
        ]
      ]
    ],
    "never-finished-operation": [
      "operationMisuse": [["Upload.phase.setter", "about operation LateUpload"]]
    ],
    "operation-cycle": [
      "operationCycle": [
        ["AlbumPage.show(captionsFitThumbnails:)", "about operation DrawCaptions"]
      ]
    ],
    "opposite-mutexes": [
      "lockOrderCycle": [
        [
          "closure #1 in CornerShop.clear(meanwhile:) → synchronizationMutex CornerShop.cellar",
          "closure #1 in CornerShop.stockUp(meanwhile:) → synchronizationMutex CornerShop.shelf",
        ]
      ]
    ],
    "opposite-transfer": [
      "lockOrderCycle": [
        ["transfer(_:from:to:meanwhile:) → mutex of Account.init(number:balance:)"]
      ]
    ],
    "relock": [
      "selfDeadlock": [["Settings.set(_:for:) → mutex of Settings.init()"]]
    ],
    "resume-under-mutex": [
      "lockOrderCycle": [
        [
          "Reception.close() → synchronizationMutex Reception.desk",
          "closure #1 in Reception.callInside(meanwhile:) → taskStatusLock",
        ]
      ]
    ],
    "starved-pool": [
      "hang": [
        ["Importer.importBlocking() → semaphore", "closure #1 in Scenario.starvedPool → group"]
      ],
      "poolStarvation": [["Importer.importBlocking() → semaphore of Importer.init()"]],
    ],
    "sync-on-current-queue": [
      "queueReentry": [["PhotoList.trim() → serialQueue photo-list"]]
    ],
    "sync-through-target": [
      "queueReentry": [["PhotoLibrary.caption(of:) → serialQueue captions"]]
    ],
    "thread-explosion": [
      "poolStarvation": [["Album.waitForRendering() → group of Album.init()"]]
    ],
    "three-lock-ring": [
      "lockOrderCycle": [
        [
          "closure #1 in Stove.cookFish(meanwhile:) → mutex of Stove.init()",
          "closure #1 in Stove.cookSauce(meanwhile:) → mutex of Stove.init()",
          "closure #1 in Stove.cookSoup(meanwhile:) → mutex of Stove.init()",
        ]
      ]
    ],
    "upgrade-read-lock": [
      "selfDeadlock": [["RouteTable.distanceUpgrading(to:) → readWriteLock of RouteTable.init()"]]
    ],
    "wait-for-main-actor": [
      "hang": [
        [
          "closure #1 in Scenario.waitForMainActor",
          "closure #1 in Scenario.waitForMainActor → semaphore",
          "closure #1 in closure #1 in Scenario.waitForMainActor",
        ],
        [
          "closure #1 in Scenario.waitForMainActor",
          "closure #1 in closure #1 in Scenario.waitForMainActor",
        ],
        [
          "closure #1 in Scenario.waitForMainActor → "
            + "semaphore of closure #1 in Scenario.waitForMainActor"
        ],
      ]
    ],
    "wait-inside-queue": [
      "deadlock": [
        ["about operation BlockOperation", "closure #1 in closure #1 in Scenario.waitInsideQueue"]
      ]
    ],
    "yield-under-lock": [
      "deadlock": [
        [
          "Thermometer.measureUnderLock(meanwhile:) → taskStatusLock",
          "Thermometer.stop() → mutex of Thermometer.init()",
        ]
      ]
    ],
    "yield-under-mutex": [
      "deadlock": [
        [
          "Newsroom.close() → synchronizationMutex Newsroom.state",
          "closure #1 in Newsroom.publishInside(_:meanwhile:) → taskStatusLock",
        ]
      ]
    ],
  ]
}
