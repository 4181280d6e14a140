package io.strowger.core.http;

import io.strowger.core.administration.StoredByokKeys;
import io.strowger.core.audit.AuditActor;
import io.strowger.core.decode.Problems;
import io.strowger.core.pipeline.Snapshot;
import io.strowger.core.resource.ByokKeyTable;
import io.strowger.core.resource.Queries.PageRequest;
import io.strowger.core.resource.ResourceType;
import io.strowger.core.resource.ResourceType.Values;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code /byok}: the customer's own provider keys. Routing fact sheet, section 8; resources fact
 * sheet, section 4. Safe on any thread.
 */
record ByokService(ServiceContext context) implements ResourceService.Resource {
  Map<Operation, OperationHandler> operations() {
    return new ResourceService(this, context)
        .operations(
            Operation.CREATE_BYOK_KEY,
            Operation.LIST_BYOK_KEYS,
            Operation.GET_BYOK_KEY,
            Operation.UPDATE_BYOK_KEY,
            Operation.DELETE_BYOK_KEY);
  }

  @Override
  public ResourceType type() {
    return ByokKeyTable.TYPE;
  }

  @Override
  public Document create(Json.Obj body, Problems problems, AuditActor actor) {
    Values values = ByokKeyTable.TYPE.create(body, problems);
    String provider = body.text("provider");
    if (provider != null && !provider.isEmpty() && !isProvider(provider)) {
      problems.add(
          JsonPointer.ROOT.child("provider"),
          "must be the slug of a provider",
          Problems.displayText(Json.of(provider)));
    }
    String workspace = context.workspaceInBody(body, problems);
    boolean isForAllWorkspaces = body.get("workspace_id") instanceof Json.Null;
    return keys().create(problems.requireValid(values), isForAllWorkspaces ? "" : workspace, actor);
  }

  private boolean isProvider(String slug) {
    Snapshot snapshot = context.snapshot();
    return snapshot.catalog().providers().stream().anyMatch(info -> info.slug().equals(slug));
  }

  @Override
  public DocumentStore.Page list(@Nullable String workspace, PageRequest page) {
    return keys().list(workspace, page.offset(), page.limit());
  }

  @Override
  public @Nullable Document find(String id) {
    return keys().find(id);
  }

  @Override
  public @Nullable Document update(
      @Nullable String id, Json.Obj body, Problems problems, AuditActor actor) {
    Values change = problems.requireValid(ByokKeyTable.TYPE.update(body, problems));
    return id == null ? null : keys().update(id, change, actor);
  }

  @Override
  public boolean delete(String id, AuditActor actor) {
    return keys().delete(id, actor);
  }

  private StoredByokKeys keys() {
    return context.account().byokKeys();
  }
}
