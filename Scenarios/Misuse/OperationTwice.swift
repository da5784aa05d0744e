import Foundation

extension Scenario {
  /// A download that failed is put into a second queue, to be tried again.
  ///
  /// **What people write.** Failed downloads are collected and later added to a queue for retries;
  /// the operation knows everything that is needed. The impatient variant starts a download by
  /// hand that waits in its queue already.
  ///
  /// **Why it breaks.** An operation runs once. One that is over, runs, or is in a queue can
  /// neither be added nor started again.
  ///
  /// **How it shows.** The program dies inside Foundation, which names neither the operation nor
  /// the place where it was used first.
  ///
  /// **Repair.** A new operation for every try.
  static let operationTwice = Scenario(
    id: "operation-twice", fault: .misuse,
    summary: "One operation is added to two queues, or started while it is in one.",
    expectations: [
      .flawed: .init(.traps, observe: .finds("operationMisuse")),
      .harmful: .init(.traps, observe: .finds("operationMisuse")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: {
      let downloads = OperationQueue()
      let retries = OperationQueue()
      let download = Download(of: "cover.png")
      downloads.addOperation(download)
      downloads.waitUntilAllOperationsAreFinished()
      retries.addOperations([download], waitUntilFinished: true)
    },
    harmful: {
      let downloads = OperationQueue()
      downloads.isSuspended = true
      let download = Download(of: "cover.png")
      downloads.addOperation(download)
      download.start()
    },
    repaired: {
      let downloads = OperationQueue()
      let retries = OperationQueue()
      downloads.addOperation(Download(of: "cover.png"))
      downloads.waitUntilAllOperationsAreFinished()
      retries.addOperations([Download(of: "cover.png")], waitUntilFinished: true)
    })
}

private final class Download: Operation, @unchecked Sendable {
  let file: String

  init(of file: String) {
    self.file = file
    super.init()
    name = file
  }

  override func main() {}
}
