#if os(Linux)
  import ThreadmillModel
  import ThreadmillReporting
  import ThreadmillRuntime

  /// The end of the process: what is left is written and said, and the status is decided.
  extension Outlet {
    /// Writes what is left; returns the status with which the process should end.
    func finish(status: Int32) -> Int32 {
      Gate.deactivate()
      return Gate.delivering {
        Session.settleRest()
        settleCycles()
        tryCyclesOut()
        let profile = Session.profile
        writeReport(complete: true, profile)
        sayRest()
        if let profile { Standard.error("\n" + text.text(for: profile)) }
        nearMisses?.save()
        Gate.setLastWords(nil)
        return status == 0 && ledger.unanswered > 0 && !isBrief ? ExitStatus.findings : status
      }
    }

    /// Tries the cycles out in processes of their own; the trial takes the place of the cycle.
    private func tryCyclesOut() {
      guard let confirmation, !confirmation.cycles.isEmpty else { return }
      Standard.error(confirmation.announcement)
      for cycle in confirmation.cycles {
        ledger.replace(cycle, by: confirmation.trials(for: cycle).tried(cycle))
      }
    }

    /// Ends the process after a hang, whose threads would keep it from coming to its exit. After a
    /// picture of a program that may still run, the process goes on.
    ///
    /// Called on a thread of the gate's own. Findings that wait are said, and what the program
    /// printed goes out.
    func giveUp(isHang: Bool) {
      Gate.deactivate()
      let end = Gate.deliveringWithPatience { () -> LastSentence in
        Session.settleRest()
        settleCycles()
        writeReport(complete: true)
        sayRest()
        // They have just been said, and the process may yet die of a signal.
        Gate.setLastWords(nil)
        nearMisses?.save()
        return LastSentence(
          hangs: ledger.hangs, running: ledger.blame.running, seconds: options.hangSeconds,
          place: place(of:))
      }
      guard isHang else { return }
      PrintedOutput.flush()
      Standard.error(end?.text ?? "threadmill: hang; the process ends here\n")
      Gate.end(status: ExitStatus.findings)
    }

    private func place(of finding: Finding) -> String? {
      finding.place.flatMap(text.place(of:))
    }

    private func sayRest() {
      let rest = ledger.takeUnsaid()
      if !isBrief, !rest.isEmpty || said > 0 { say(rest) }
    }

    private func say(_ rest: [Finding]) {
      // Notes are for the report file; on standard error they only go with something else.
      guard rest.contains(where: { $0.severity != .note }) else {
        if said > 0, let again = TextReport.repetition(of: run) { Standard.error(again + "\n") }
        return
      }
      let report = Report(findings: rest, run: run, accounting: accounting)
      Standard.error("\n" + text.text(for: report) + "\n")
    }
  }
#endif
