package io.strowger.core.preset;

import io.strowger.core.store.ForwardingDocuments;
import io.strowger.spi.store.DocumentStore;
import java.util.List;

/**
 * A store in which a competing writer is faster: once armed, it runs before the next write, after
 * the reads for that write.
 */
final class RacingDocuments extends ForwardingDocuments {
  private final Runnable competingWriter;
  private boolean armed;

  RacingDocuments(DocumentStore documents, Runnable competingWriter) {
    super(documents);
    this.competingWriter = competingWriter;
  }

  void arm() {
    armed = true;
  }

  @Override
  public boolean write(List<Write> writes) {
    if (armed) {
      armed = false;
      competingWriter.run();
    }
    return super.write(writes);
  }
}
