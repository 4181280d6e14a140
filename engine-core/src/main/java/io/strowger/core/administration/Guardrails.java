package io.strowger.core.administration;

import io.strowger.core.ambient.Uuids;
import io.strowger.core.audit.AuditAction;
import io.strowger.core.audit.AuditActor;
import io.strowger.core.audit.AuditChanges;
import io.strowger.core.audit.AuditLog;
import io.strowger.core.config.Guardrail;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Rules;
import io.strowger.core.resource.ResourceType;
import io.strowger.core.store.DocumentRepository;
import io.strowger.core.store.StoreWatch;
import io.strowger.core.store.WorkspaceGuard;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.DocumentStore.Write;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The guardrails of the account, stored in the form of the resource. A guardrail has no effect
 * until it is assigned; every workspace has a default guardrail, which binds all its keys. Safe on
 * any thread; every method may throw {@link io.strowger.spi.store.StoreUnavailableException}.
 * Resources fact sheet, section 4.
 */
public final class Guardrails {
  static final String KIND = "guardrail";

  /** No check here: {@link io.strowger.core.config.GuardrailForm} checks the body as a whole. */
  private static final Rule<Json> ANY = Rules.any().to(Json::detached);

  /** The members of a guardrail; unknown members are dropped. */
  public static final ResourceType TYPE =
      ResourceType.table()
          .clearable("name", ANY)
          .clearable("description", ANY)
          .clearable("limit_usd", ANY)
          .clearable("reset_interval", ANY)
          .optional("include_byok_in_budgets", ANY, Json.FALSE)
          .clearable("allowed_models", ANY)
          .clearable("ignored_models", ANY)
          .clearable("allowed_providers", ANY)
          .clearable("ignored_providers", ANY)
          .clearable("enforce_zdr", ANY)
          .clearable("enforce_zdr_anthropic", ANY)
          .clearable("enforce_zdr_openai", ANY)
          .clearable("enforce_zdr_google", ANY)
          .clearable("enforce_zdr_xai", ANY)
          .clearable("enforce_zdr_other", ANY)
          .clearable("enable_free_model_training", ANY)
          .clearable("enable_paid_model_training", ANY)
          .clearable("enable_free_model_publication", ANY)
          .clearable("content_filters", ANY)
          .clearable("content_filter_builtins", ANY)
          .workspace(Rules.any())
          .redactedInAudit("description", "content_filters") // patterns may be private themselves
          .sparse()
          .build();

  private final StoreWatch watch;
  private final WorkspaceGuard workspaceGuard;
  private final Ambient ambient;
  private final DocumentRepository repository;
  private final List<DocumentRepository> assignments;
  private final AuditLog audit;

  public Guardrails(StoreWatch watch, Ambient ambient) {
    this.watch = watch;
    this.workspaceGuard = new WorkspaceGuard(watch, ambient);
    this.ambient = ambient;
    this.repository = new DocumentRepository(watch, KIND, ambient);
    this.audit = new AuditLog(ambient);
    this.assignments =
        List.of(
            new DocumentRepository(watch, GuardrailAssignments.OF_KEYS, ambient),
            new DocumentRepository(watch, GuardrailAssignments.OF_MEMBERS, ambient));
  }

  /** Returns the id of a workspace's default guardrail, which never changes. */
  static String idOfWorkspace(String workspace) {
    byte[] name = ("guardrail of " + workspace).getBytes(StandardCharsets.UTF_8);
    return UUID.nameUUIDFromBytes(name).toString();
  }

  static Json.Obj bodyOfWorkspace(String workspace) {
    return Json.object().put("name", "Workspace " + workspace + " Default").build();
  }

  static Guardrail read(Document document) {
    return Guardrail.of(document.id(), document.body());
  }

  /**
   * Creates a guardrail.
   *
   * @param body the valid members of the resource, without those that the store adds
   * @param by who makes the change
   */
  public Document create(Json.Obj body, String workspace, AuditActor by) {
    Document made = repository.newDocument(Uuids.next(ambient).toString(), workspace, body);
    Write entry = audit.entry(by, AuditAction.GUARDRAIL_CREATE, TYPE, null, made);
    if (!workspaceGuard.add(workspace, List.of(new Write.Insert(made), entry))) {
      throw GatewayError.of(ErrorCode.CONFLICT).toException();
    }
    return made;
  }

  /** Returns a guardrail; null when there is none. */
  public @Nullable Document find(String id) {
    return repository.find(id);
  }

  /**
   * Returns a page of the guardrails, newest first.
   *
   * @param workspace the id of the workspace; null for all
   */
  public DocumentStore.Page list(@Nullable String workspace, long offset, int limit) {
    return repository.list(workspace, true, DocumentStore.Order.CREATED_LAST, offset, limit);
  }

  /**
   * Changes a guardrail.
   *
   * @param change returns the whole new body; may be called more than once, and may throw
   * @param by who makes the change
   * @return the guardrail after the change; null when there is none
   */
  public @Nullable Document update(String id, UnaryOperator<Json.Obj> change, AuditActor by) {
    return repository.change(
        id,
        (current, at) -> current.next(at, change.apply(current.body())),
        (current, next) ->
            audit.entry(
                by,
                AuditAction.GUARDRAIL_UPDATE,
                AuditLog.Subject.of(current),
                AuditChanges.between(current, next == null ? current : next, TYPE)));
  }

  /**
   * Deletes a guardrail and its assignments; its books stay.
   *
   * @return false when there is none
   * @throws io.strowger.spi.error.GatewayException 400 when it is a workspace's default
   */
  public boolean delete(String id, AuditActor by) {
    while (true) {
      Document current = repository.find(id);
      if (current == null) {
        return false;
      }
      if (id.equals(idOfWorkspace(current.group()))) {
        throw GatewayError.of(
                ErrorCode.INVALID_REQUEST, "The default guardrail of a workspace cannot be deleted")
            .toException();
      }
      if (watch.write(removals(current, by))) {
        return true;
      }
    }
  }

  /** Returns the writes that delete a guardrail and its assignments, with the audit entry. */
  List<Write> removals(Document guardrail, AuditActor by) {
    var writes = new ArrayList<Write>();
    writes.add(new Write.Remove(KIND, guardrail.id(), guardrail.version()));
    AuditChanges auditChanges = AuditChanges.NONE;
    for (DocumentRepository each : assignments) {
      var freed = new ArrayList<String>();
      for (Document assigned : each.all(guardrail.id())) {
        writes.add(new Write.Remove(each.kind(), assigned.id(), assigned.version()));
        freed.add(assigned.id());
      }
      if (!freed.isEmpty()) {
        auditChanges = auditChanges.unset(GuardrailAssignments.member(each.kind()), freed);
      }
    }
    writes.add(
        audit.entry(
            by, AuditAction.GUARDRAIL_DELETE, AuditLog.Subject.of(guardrail), auditChanges));
    return writes;
  }
}
