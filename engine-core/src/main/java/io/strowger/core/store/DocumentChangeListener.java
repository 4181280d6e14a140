package io.strowger.core.store;

import io.strowger.spi.store.DocumentStore;
import java.util.Set;

/** Drops values that were derived from documents when those documents change. */
public interface DocumentChangeListener {
  /** Returns the kinds of documents that the values are derived from. */
  Set<String> kinds();

  /**
   * Called when a document of one of the kinds was or may have been written or removed, on the
   * thread that wrote it or on the thread of {@link StoreWatch}. The listener may ask the store;
   * when that throws, the listener is called again at the next poll.
   *
   * @param ref the document, of which the listener need not hold a value
   */
  void invalidate(DocumentStore.Ref ref);

  /** Called when any document may have been written or removed. */
  void dropAll();
}
