package io.strowger.core.store;

import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Forwards every call to another store. Tests override the method that they look into. */
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
