extension Scenario {
  /// What findings of scenarios about data races accuse.
  static let raceCulprits: [String: [String: [Accusation]]] = [
    "array-append": [
      "dataRace": [
        ["Album.append(_:)", "about memory of Scenario.arrayAppend"],
        ["Album.appendSlowly(_:meanwhile:)", "about memory of Scenario.arrayAppend"],
      ]
    ],
    "broken-confinement": [
      "confinementViolation": [
        ["Account.deposit(_:meanwhile:)", "Account.init(_:of:)", "about confined Account"]
      ],
      "dataRace": [
        ["Account.deposit(_:meanwhile:)", "about memory of DatabaseContext.account(_:)"]
      ],
    ],
    "bypassed-barrier": [
      "dataRace": [
        [
          "PhotoList.count.getter", "about memory of Scenario.bypassedBarrier",
          "closure #1 in PhotoList.reload(loading:done:)",
        ]
      ]
    ],
    "compound-result": [
      "dataRace": [["Picture.double(meanwhile:)", "about memory of Scenario.compoundResult"]]
    ],
    "double-checked-flag": [
      "dataRace": [
        [
          "Currencies.yen()", "about memory of Scenario.doubleCheckedFlag",
          "closure #1 in Currencies.lockedYen()",
        ]
      ]
    ],
    "exit-before-join": [
      "dataRace": [
        [
          "about memory of Scenario.exitBeforeJoin", "closure #1 in PhotoImport.atExit(report:)",
          "closure #1 in PhotoImport.start(meanwhile:)",
        ]
      ]
    ],
    "is-loaded": [
      "dataRace": [
        [
          "Currency.rateRelaxed()", "closure #1 in Currency.rateRelaxed()",
          "about memory of Scenario.isLoaded",
        ]
      ]
    ],
    "late-write": [
      "dataRace": [
        [
          "about memory of Scenario.lateWrite", "closure #1 in Scenario.lateWrite",
          "closure #2 in closure #1 in Scenario.lateWrite",
        ],
        [
          "about memory of Scenario.lateWrite", "closure #2 in Scenario.lateWrite",
          "closure #2 in closure #2 in Scenario.lateWrite",
        ],
      ]
    ],
    "lazy-init": [
      "dataRace": [["PhotoLibrary.index.getter", "about memory of Scenario.lazyInit"]]
    ],
    "lazy-pointer": [
      "dataRace": [
        [
          "Settings.init(limit:)", "closure #1 in closure #1 in Scenario.lazyPointer",
          "about memory of Registry.settingsRelaxed()",
        ],
        [
          "Settings.init(limit:)", "closure #2 in closure #1 in Scenario.lazyPointer",
          "about memory of Registry.settingsRelaxed()",
        ],
      ]
    ],
    "operation-state": [
      "dataRace": [
        [
          "Download.move(from:to:meanwhile:)", "Download.now.getter",
          "about memory of Scenario.operationState",
        ], ["Download.move(from:to:meanwhile:)", "about memory of Scenario.operationState"],
      ]
    ],
    "pending-dictionary": [
      "dataRace": [
        [
          "Downloader.addresses.getter", "Downloader.removeSlowly(_:meanwhile:)",
          "about memory of Scenario.pendingDictionary",
        ],
        [
          "Downloader.remove(_:)", "Downloader.start(_:completion:)",
          "about memory of Scenario.pendingDictionary",
        ],
      ]
    ],
    "quiet-counter": [
      "dataRace": [["Gallery.like(meanwhile:)", "about memory of Scenario.quietCounter"]]
    ],
    "relaxed-flag": [
      "dataRace": [
        ["Inbox.postRelaxed(_:)", "Inbox.wait()", "about memory of Scenario.relaxedFlag"]
      ]
    ],
    "shared-error": [
      "dataRace": [["PhotoUpload.note(_:meanwhile:)", "about memory of Scenario.sharedError"]]
    ],
    "shared-record": [
      "dataRace": [
        ["PhotoRecord.download()", "PhotoRecord.filter()", "about memory of Scenario.sharedRecord"]
      ]
    ],
    "spin-lock": [
      "dataRace": [["Counter.addRelaxed()", "about memory of Scenario.spinLock"]]
    ],
    "unowned-setter": [
      "crash": [["closure #1 in Settings.setVolumeUnowned(_:)"]]
    ],
    "unsafe-counter": [
      "dataRace": [["DownloadCounter.count(meanwhile:)", "about memory of Scenario.unsafeCounter"]]
    ],
  ]
}
