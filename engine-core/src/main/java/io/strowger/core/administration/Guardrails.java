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
import java.util.Objects;
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

  /**
   * No check here: {@link io.strowger.core.config.GuardrailValidator} checks the body as a whole.
   */
  private static final Rule<Json> UNCHECKED = Rules.any().to(Json::detached);

  /** The members of a guardrail; unknown members are dropped. */
  public static final ResourceType TYPE =
      ResourceType.table()
          .clearable("name", UNCHECKED)
          .clearable("description", UNCHECKED)
          .clearable("limit_usd", UNCHECKED)
          .clearable("reset_interval", UNCHECKED)
          .optional("include_byok_in_budgets", UNCHECKED, Json.FALSE)
          .clearable("allowed_models", UNCHECKED)
          .clearable("ignored_models", UNCHECKED)
          .clearable("allowed_providers", UNCHECKED)
          .clearable("ignored_providers", UNCHECKED)
          .clearable("enforce_zdr", UNCHECKED)
          .clearable("enforce_zdr_anthropic", UNCHECKED)
          .clearable("enforce_zdr_openai", UNCHECKED)
          .clearable("enforce_zdr_google", UNCHECKED)
          .clearable("enforce_zdr_xai", UNCHECKED)
          .clearable("enforce_zdr_other", UNCHECKED)
          .clearable("enable_free_model_training", UNCHECKED)
          .clearable("enable_paid_model_training", UNCHECKED)
          .clearable("enable_free_model_publication", UNCHECKED)
          .clearable("content_filters", UNCHECKED)
          .clearable("content_filter_builtins", UNCHECKED)
          .workspace(Rules.any())
          .redactedInAudit("description", "content_filters") // patterns may be private themselves
          .sparse()
          .build();

  private final StoreWatch watch;
  private final WorkspaceGuard workspaceGuard;
  private final Ambient ambient;
  private final DocumentRepository repository;
  private final List<DocumentRepository> assignmentRepositories;
  private final AuditLog audit;

  public Guardrails(StoreWatch watch, Ambient ambient) {
    this.watch = watch;
    this.workspaceGuard = new WorkspaceGuard(watch, ambient);
    this.ambient = ambient;
    this.repository = new DocumentRepository(watch, KIND, ambient);
    this.audit = new AuditLog(ambient);
    this.assignmentRepositories =
        List.of(
            new DocumentRepository(watch, GuardrailAssignments.KEY_KIND, ambient),
            new DocumentRepository(watch, GuardrailAssignments.MEMBER_KIND, ambient));
  }

  /** Returns the id of a workspace's default guardrail, which never changes. */
  static String defaultGuardrailId(String workspace) {
    byte[] name = ("guardrail of " + workspace).getBytes(StandardCharsets.UTF_8);
    return UUID.nameUUIDFromBytes(name).toString();
  }

  static Json.Obj defaultGuardrailBody(String workspace) {
    return Json.object().put("name", "Workspace " + workspace + " Default").build();
  }

  static Guardrail read(Document document) {
    return Guardrail.of(document.id(), document.body());
  }

  /**
   * Creates a guardrail.
   *
   * @param body the valid members of the resource, without those that the store adds
   * @param actor who makes the change
   * @throws io.strowger.spi.error.GatewayException 400 when the workspace was deleted meanwhile;
   *     409 after too many concurrent changes
   */
  public Document create(Json.Obj body, String workspace, AuditActor actor) {
    Document guardrail = repository.newDocument(Uuids.next(ambient).toString(), workspace, body);
    Write entry = audit.entry(actor, AuditAction.GUARDRAIL_CREATE, TYPE, null, guardrail);
    if (!workspaceGuard.writeWithin(workspace, List.of(new Write.Insert(guardrail), entry))) {
      throw GatewayError.of(ErrorCode.CONFLICT).toException();
    }
    return guardrail;
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
    return repository.list(workspace, true, DocumentStore.Order.NEWEST_FIRST, offset, limit);
  }

  /**
   * Changes a guardrail.
   *
   * @param change returns the whole new body; may be called more than once, and may throw
   * @param actor who makes the change
   * @return the guardrail after the change; null when there is none
   */
  public @Nullable Document update(String id, UnaryOperator<Json.Obj> change, AuditActor actor) {
    return repository.change(
        id,
        (current, at) -> current.next(at, change.apply(current.body())),
        (current, next) ->
            audit.entry(
                actor,
                AuditAction.GUARDRAIL_UPDATE,
                AuditLog.Subject.of(current),
                AuditChanges.between(
                    current, Objects.requireNonNull(next, "an update removes nothing"), TYPE)));
  }

  /**
   * Deletes a guardrail and its assignments; its books stay.
   *
   * @return false when there is none
   * @throws io.strowger.spi.error.GatewayException 400 when it is a workspace's default
   */
  public boolean delete(String id, AuditActor actor) {
    while (true) {
      Document current = repository.find(id);
      if (current == null) {
        return false;
      }
      if (id.equals(defaultGuardrailId(current.group()))) {
        throw GatewayError.of(
                ErrorCode.INVALID_REQUEST, "The default guardrail of a workspace cannot be deleted")
            .toException();
      }
      if (watch.write(removals(current, actor))) {
        return true;
      }
    }
  }

  /** Returns the writes that delete a guardrail and its assignments, with the audit entry. */
  List<Write> removals(Document guardrail, AuditActor actor) {
    var writes = new ArrayList<Write>();
    writes.add(new Write.Remove(KIND, guardrail.id(), guardrail.version()));
    AuditChanges auditChanges = AuditChanges.NONE;
    for (DocumentRepository assignmentsOfKind : assignmentRepositories) {
      var freedTargets = new ArrayList<String>();
      for (Document assigned : assignmentsOfKind.findAll(guardrail.id())) {
        writes.add(new Write.Remove(assignmentsOfKind.kind(), assigned.id(), assigned.version()));
        freedTargets.add(assigned.id());
      }
      if (!freedTargets.isEmpty()) {
        auditChanges =
            auditChanges.withRemoved(
                GuardrailAssignments.requestMemberName(assignmentsOfKind.kind()), freedTargets);
      }
    }
    writes.add(
        audit.entry(
            actor, AuditAction.GUARDRAIL_DELETE, AuditLog.Subject.of(guardrail), auditChanges));
    return writes;
  }
}
