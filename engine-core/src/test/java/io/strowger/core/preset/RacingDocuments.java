package io.strowger.core.preset;

import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A store in which somebody else is faster: between the look and the write, once when armed. */
final class RacingDocuments implements DocumentStore {
  private final DocumentStore documents;
  private final Runnable faster;
  private boolean armed;

  RacingDocuments(DocumentStore documents, Runnable faster) {
    this.documents = documents;
    this.faster = faster;
  }

  void arm() {
    armed = true;
  }

  @Override
  public boolean write(List<Write> writes) {
    if (armed) {
      armed = false;
      faster.run();
    }
    return documents.write(writes);
  }

  @Override
  public @Nullable Document find(String kind, String id) {
    return documents.find(kind, id);
  }

  @Override
  public Page list(Filter filter) {
    return documents.list(filter);
  }

  @Override
  public Changes changes(long after) {
    return documents.changes(after);
  }
}
