package io.strowger.core.preset;

import io.strowger.core.store.ForwardingDocuments;
import io.strowger.spi.store.DocumentStore;
import java.util.List;

/** A store in which somebody else is faster: between the look and the write, once when armed. */
final class RacingDocuments extends ForwardingDocuments {
  private final Runnable faster;
  private boolean armed;

  RacingDocuments(DocumentStore documents, Runnable faster) {
    super(documents);
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
    return super.write(writes);
  }
}
