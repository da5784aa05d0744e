import Foundation

extension Scenario {
  /// An album page is put together by operations on two queues, and three of them wait in a ring.
  ///
  /// **What people write.** The thumbnails wait for the layout, which knows their size. The layout
  /// waits for the captions, which may need a second line. Then somebody cuts the captions to the
  /// width of the thumbnails, and lets them wait for those.
  ///
  /// **Why it breaks.** Each of the three waits for the next one, and the last for the first. No
  /// queue ever starts any of them, and nobody says so.
  ///
  /// **How it shows.** The page stays empty, every time. Both queues look busy, and no thread does
  /// anything.
  ///
  /// **Repair.** The captions take the width from the layout's settings, and wait for nobody.
  static let operationCycle = Scenario(
    id: "operation-cycle", fault: .deadlocks,
    summary: "Three operations on two queues wait for each other by their dependencies.",
    expectations: [
      .flawed: .init(.hangs, observe: .finds("operationCycle")),
      .repaired: .init(.ends, observe: .silent),
    ],
    flawed: { AlbumPage().show(captionsFitThumbnails: true) },
    repaired: { AlbumPage().show(captionsFitThumbnails: false) })
}

/// Has no state.
private final class DrawCaptions: Operation, @unchecked Sendable {
  override func main() {}
}

private final class AlbumPage {
  private let network = OperationQueue()
  private let drawing = OperationQueue()

  func show(captionsFitThumbnails: Bool) {
    let download = BlockOperation {}
    download.name = "download"
    let thumbnails = BlockOperation {}
    thumbnails.name = "thumbnails"
    let captions = DrawCaptions()
    let background = BlockOperation {}
    let layout = BlockOperation {}
    layout.name = "layout"

    thumbnails.addDependency(download)
    thumbnails.addDependency(layout)
    layout.addDependency(captions)
    if captionsFitThumbnails { captions.addDependency(thumbnails) }

    network.addOperations([download, thumbnails], waitUntilFinished: false)
    drawing.addOperations([captions, background, layout], waitUntilFinished: false)
    drawing.waitUntilAllOperationsAreFinished()
    network.waitUntilAllOperationsAreFinished()
  }
}
