#if os(Linux)
  import ThreadmillModel
  import ThreadmillReporting
  import ThreadmillRuntime

  /// Ends the process: writes and says the findings that are left, and decides the status.
  extension Outlet {
    /// Writes the findings that are left; returns the status with which the process should end.
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
        Gate.forgetLastWords()
        return status == 0 && ledger.unanswered > 0 && !isBrief ? ExitStatus.findings : status
      }
    }

    /// Tries each cycle out in a process of its own, and replaces the cycle by the result of the
    /// trial.
    private func tryCyclesOut() {
      guard let confirmation, !confirmation.cycles.isEmpty else { return }
      Standard.error(confirmation.announcement)
      for cycle in confirmation.cycles {
        ledger.replace(cycle, by: confirmation.trials(for: cycle).tried(cycle))
      }
    }

    /// Says the findings that wait. After a hang, ends the process, because the stuck threads would
    /// keep it from its exit; or says the hang alone, and the process goes on.
    ///
    /// Called on a thread of the gate's own. Before the end, the program's buffered output is
    /// flushed.
    func giveUp(_ outcome: Session.Outcome) {
      if outcome == .stays { return sayHangs() }
      let seconds = Gate.hangSeconds
      Gate.deactivate()
      let end = Gate.deliveringWithPatience { () -> LastSentence in
        Session.settleRest()
        settleCycles()
        writeReport(complete: true)
        sayRest()
        // The findings have just been said; if the process dies of a signal, they are not said
        // again.
        Gate.forgetLastWords()
        nearMisses?.save()
        return LastSentence(
          hangs: ledger.hangs, running: ledger.blame.running, seconds: seconds,
          place: place(of:))
      }
      guard outcome == .endsByHang else { return }
      PrintedOutput.flush()
      Standard.error(end?.text ?? "threadmill: hang; the process ends here\n")
      Gate.end(status: ExitStatus.findings)
    }

    private func sayHangs() {
      _ = Gate.deliveringWithPatience {
        let hangs = ledger.hangs.map { text.text(for: $0) + "\n" }.joined()
        Standard.error("\n\(hangs)\nthreadmill: the program is left as it is; SIGINT ends it\n")
      }
    }

    private func place(of finding: Finding) -> String? {
      finding.place.flatMap(text.place(of:))
    }

    private func sayRest() {
      let rest = ledger.takeUnsaid()
      if !isBrief, !rest.isEmpty || said > 0 { say(rest) }
    }

    private func say(_ rest: [Finding]) {
      // Notes are for the report file; standard error says them only beside other findings.
      guard rest.contains(where: { $0.severity != .note }) else {
        if said > 0, let again = TextReport.repetition(of: run) { Standard.error(again + "\n") }
        return
      }
      let report = Report(
        findings: rest, run: run, explorations: explored, accounting: accounting)
      Standard.error("\n" + text.text(for: report) + "\n")
    }
  }
#endif
