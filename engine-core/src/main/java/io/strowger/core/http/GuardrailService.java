package io.strowger.core.http;

import io.strowger.core.administration.Guardrails;
import io.strowger.core.authentication.Caller;
import io.strowger.core.config.GuardrailForm;
import io.strowger.core.decode.Problems;
import io.strowger.core.pipeline.Snapshot;
import io.strowger.core.resource.KeyDecoder;
import io.strowger.core.resource.PathParameters;
import io.strowger.core.resource.Queries;
import io.strowger.core.resource.WorkspacePage;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * {@code /guardrails}. A body is judged by the rules of the configuration file's guardrails; models
 * are kept by their ids, whatever names they came by. Resources fact sheet, section 4. Safe on any
 * thread.
 */
final class GuardrailService {
  private final BodyReader bodies;
  private final ResourceServices resources;
  private final Guardrails guardrails;
  private final WorkspaceNames workspaces;
  private final int problemLimit;

  GuardrailService(BodyReader bodies, ResourceServices resources, int problemLimit) {
    this.bodies = bodies;
    this.resources = resources;
    this.guardrails = resources.account().guardrails();
    this.workspaces = new WorkspaceNames(resources.account().workspaces());
    this.problemLimit = problemLimit;
  }

  Map<Operation, OperationHandler> operations() {
    return Map.of(
        Operation.CREATE_GUARDRAIL, this::create,
        Operation.LIST_GUARDRAILS, this::list,
        Operation.GET_GUARDRAIL, this::get,
        Operation.UPDATE_GUARDRAIL, this::update,
        Operation.DELETE_GUARDRAIL, this::delete);
  }

  private WireResponse create(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = new Problems(problemLimit);
    Json.Obj given = bodies.read(request);
    GuardrailForm.check(given, problems);
    String workspace = workspaces.inBody(given, problems);
    problems.throwIfAny();
    Json.Obj body = GuardrailJson.kept(Json.Obj.EMPTY, canonical(given));
    return responseFactory.created(
        GuardrailJson.shown(guardrails.create(body, workspace, caller.author(request.client()))));
  }

  private WireResponse list(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = new Problems(problemLimit);
    WorkspacePage asked = Queries.pageOfWorkspace(request.query(), problems);
    String workspace = workspaces.inQuery(asked.workspaceId(), problems);
    problems.throwIfAny();
    Guardrails.Listed listed =
        guardrails.list(workspace, asked.page().offset(), asked.page().limit());
    return responseFactory.list(
        listed.guardrails().stream().map(GuardrailJson::shown).toList(), listed.total());
  }

  private WireResponse get(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    return responseFactory.found(shown(find(request)));
  }

  /** What is changed is judged as a whole: a null clears, what is absent stays. */
  private WireResponse update(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    Json.Obj given = bodies.read(request);
    if (!GuardrailJson.changes(given)) {
      throw GatewayError.of(ErrorCode.INVALID_REQUEST, KeyDecoder.NOTHING_TO_UPDATE).toException();
    }
    Document found = find(request);
    if (found == null) {
      check(GuardrailJson.kept(GuardrailJson.NAMED, given));
      return responseFactory.found(null);
    }
    Json.Obj change = canonical(given);
    Document changed =
        guardrails.update(
            found.id(),
            current -> {
              check(GuardrailJson.kept(current, given));
              return GuardrailJson.kept(current, change);
            },
            caller.author(request.client()));
    return responseFactory.found(shown(changed));
  }

  private void check(Json.Obj body) {
    var problems = new Problems(problemLimit);
    GuardrailForm.check(body, problems);
    problems.throwIfAny();
  }

  private WireResponse delete(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    String id = id(request);
    return responseFactory.deleted(
        id != null && guardrails.delete(id, caller.author(request.client())));
  }

  private @Nullable Document find(WireRequest request) {
    String id = id(request);
    return id == null ? null : guardrails.find(id);
  }

  private static @Nullable String id(WireRequest request) {
    UUID id = PathParameters.uuid(PathSegment.of(request, 1));
    return id == null ? null : id.toString();
  }

  private static Json.@Nullable Obj shown(@Nullable Document guardrail) {
    return guardrail == null ? null : GuardrailJson.shown(guardrail);
  }

  /** Models by their ids; names the catalog does not know, and patterns, as they are. */
  private Json.Obj canonical(Json.Obj body) {
    Snapshot snapshot = resources.current().get();
    if (snapshot == null) {
      throw GatewayError.of(ErrorCode.UNAVAILABLE).toException();
    }
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
}
