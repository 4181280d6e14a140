package io.strowger.core.store;

import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A store that forwards every call to another one; tests override single methods. */
public abstract class ForwardingDocuments implements DocumentStore {
  private final DocumentStore documents;

  protected ForwardingDocuments(DocumentStore documents) {
    this.documents = Objects.requireNonNull(documents, "documents");
  }

  @Override
  public boolean write(List<Write> writes) {
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
