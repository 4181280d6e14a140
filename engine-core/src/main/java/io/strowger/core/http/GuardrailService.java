package io.strowger.core.http;

import io.strowger.core.administration.Guardrails;
import io.strowger.core.audit.AuditActor;
import io.strowger.core.config.GuardrailValidator;
import io.strowger.core.decode.Problems;
import io.strowger.core.pipeline.Snapshot;
import io.strowger.core.resource.Queries.PageRequest;
import io.strowger.core.resource.ResourceType;
import io.strowger.core.resource.ResourceType.Values;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code /guardrails}. A body must obey the same rules as a guardrail in the configuration file.
 * Models are stored by id, whatever names the body uses. Resources fact sheet, section 4. Safe on
 * any thread.
 */
record GuardrailService(ServiceContext context) implements ResourceService.Resource {
  private static final ResourceType TYPE = Guardrails.TYPE;

  /** A minimal valid guardrail, to check a change against when the guardrail does not exist. */
  private static final Json.Obj MINIMAL_GUARDRAIL = Json.object().put("name", "guardrail").build();

  private static final List<String> ZDR_GROUPS =
      List.of("anthropic", "openai", "google", "xai", "other");

  Map<Operation, OperationHandler> operations() {
    return new ResourceService(this, context)
        .operations(
            Operation.CREATE_GUARDRAIL,
            Operation.LIST_GUARDRAILS,
            Operation.GET_GUARDRAIL,
            Operation.UPDATE_GUARDRAIL,
            Operation.DELETE_GUARDRAIL);
  }

  @Override
  public ResourceType type() {
    return TYPE;
  }

  @Override
  public Document create(Json.Obj body, Problems problems, AuditActor actor) {
    GuardrailValidator.validate(body, problems);
    String workspace = context.workspaceInBody(body, problems);
    problems.throwIfAny();
    Values values = problems.requireValid(TYPE.create(canonical(body), problems));
    return guardrails().create(TYPE.body(values), workspace, actor);
  }

  @Override
  public DocumentStore.Page list(@Nullable String workspace, PageRequest page) {
    return guardrails().list(workspace, page.offset(), page.limit());
  }

  @Override
  public @Nullable Document find(String id) {
    return guardrails().find(id);
  }

  /**
   * Updates a guardrail. In the body, null clears a member, and an absent member stays. The
   * guardrail that results is validated as a whole.
   */
  @Override
  public @Nullable Document update(
      @Nullable String id, Json.Obj body, Problems problems, AuditActor actor) {
    Values requestedChange = problems.requireValid(TYPE.update(body, problems));
    Document guardrail = id == null ? null : guardrails().find(id);
    if (guardrail == null) {
      check(TYPE.applyTo(MINIMAL_GUARDRAIL, requestedChange));
      return null;
    }
    Values change = problems.requireValid(TYPE.update(canonical(body), problems));
    return guardrails()
        .update(
            guardrail.id(),
            current -> {
              check(TYPE.applyTo(current, requestedChange));
              return TYPE.applyTo(current, change);
            },
            actor);
  }

  private void check(Json.Obj body) {
    var problems = context.newProblems();
    GuardrailValidator.validate(body, problems);
    problems.throwIfAny();
  }

  @Override
  public boolean delete(String id, AuditActor actor) {
    return guardrails().delete(id, actor);
  }

  /** Shows the deprecated switch for all groups as the value of each group that is not set. */
  @Override
  public Json.Obj shown(Document guardrail) {
    Json.Obj json = type().toJson(guardrail);
    if (guardrail.body().get("enforce_zdr") instanceof Json.Bool enforceAll) {
      for (String group : ZDR_GROUPS) {
        String name = "enforce_zdr_" + group;
        json = guardrail.body().has(name) ? json : json.with(name, enforceAll);
      }
    }
    return json;
  }

  /** Replaces models by their ids; patterns and names unknown to the catalog stay as they are. */
  private Json.Obj canonical(Json.Obj body) {
    Snapshot snapshot = context.snapshot();
    Json.Obj canonical = body;
    for (String name : List.of("allowed_models", "ignored_models")) {
      if (body.get(name) instanceof Json.Arr names) {
        List<Json> ids = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
          ModelInfo model =
              names.get(i) instanceof Json.Str text ? snapshot.catalog().model(text.text()) : null;
          ids.add(model == null ? names.get(i) : Json.of(model.id()));
        }
        canonical = canonical.with(name, Json.array(ids));
      }
    }
    return canonical;
  }

  private Guardrails guardrails() {
    return context.account().guardrails();
  }
}
