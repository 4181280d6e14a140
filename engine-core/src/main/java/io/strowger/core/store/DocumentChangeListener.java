package io.strowger.core.store;

import io.strowger.spi.store.DocumentStore;
import java.util.Set;

/** Something that was made of documents and kept, and must go when they change. */
public interface DocumentChangeListener {
  /** Of which kinds of documents it was made. */
  Set<String> kinds();

  /**
   * A document of one of the kinds was written or removed. On the thread that wrote it, or the
   * watch's; may ask the store, and is called again when that throws.
   *
   * @param changed may be unknown
   */
  void invalidate(DocumentStore.Ref changed);

  /** Any may have been written or removed. */
  void dropAll();
}
