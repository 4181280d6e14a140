package io.strowger.core.http;

import io.strowger.core.authentication.Caller;
import io.strowger.core.decode.PluginChecks;
import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.chat.ChatDecoder;
import io.strowger.core.dialect.messages.MessagesDecoder;
import io.strowger.core.dialect.responses.ResponsesDecoder;
import io.strowger.core.preset.PresetDirectory;
import io.strowger.core.preset.PresetDirectory.ListPage;
import io.strowger.core.preset.PresetReferences;
import io.strowger.core.preset.PresetVersion;
import io.strowger.core.preset.SavedPreset;
import io.strowger.core.resource.NewPreset;
import io.strowger.core.resource.PathParameters;
import io.strowger.core.resource.PresetDecoder;
import io.strowger.core.resource.Queries;
import io.strowger.core.resource.Queries.PageRequest;
import io.strowger.core.resource.Queries.WorkspacePage;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@code /presets}: creates presets from request bodies, and shows them. A preset belongs to a
 * workspace; the keys of other workspaces do not see it. Management keys act on the workspace that
 * {@code workspace_id} in the query names, or else on the default workspace. Contract: "POST
 * /presets/{slug}/chat/completions"; resources fact sheet, sections 1 and 2. Safe on any thread.
 */
record PresetService(ServiceContext context) {
  private static final int SLUG_INDEX = 1;
  private static final int VERSION_INDEX = 3;

  /**
   * @param plugins validates the plugin entries of presets
   */
  Map<Operation, OperationHandler> operations(PluginChecks plugins) {
    var chat = new PresetDecoder(Dialect.CHAT, new ChatDecoder(plugins)::decode);
    var messages = new PresetDecoder(Dialect.MESSAGES, new MessagesDecoder(plugins)::decode);
    var responses = new PresetDecoder(Dialect.RESPONSES, new ResponsesDecoder(plugins)::decode);
    return Map.of(
        Operation.PRESET_FROM_CHAT, createHandler(chat),
        Operation.PRESET_FROM_MESSAGES, createHandler(messages),
        Operation.PRESET_FROM_RESPONSES, createHandler(responses),
        Operation.LIST_PRESETS, this::list,
        Operation.GET_PRESET, this::get,
        Operation.LIST_PRESET_VERSIONS, this::versions,
        Operation.GET_PRESET_VERSION, this::version);
  }

  /** Returns the handler that creates presets from bodies of one dialect. */
  private OperationHandler createHandler(PresetDecoder decoder) {
    return (caller, request, responseFactory) -> {
      var problems = context.newProblems();
      String workspace = workspace(caller, request, problems);
      NewPreset input = readPreset(decoder, request, problems);
      SavedPreset preset =
          presets().create(workspace, caller.toAuditActor(request.client()), input);
      return responseFactory.dataOrNotFound(preset.toJson());
    };
  }

  /**
   * Reads the preset in a body. The body is validated even when the slug in the path is wrong, so
   * that all problems are noted.
   */
  private NewPreset readPreset(PresetDecoder decoder, WireRequest request, Problems problems) {
    String slug = slug(request, problems);
    Json.Obj body = context.bodyReader().read(request);
    PresetReferences.rejectReferences(body, problems);
    return problems.requireValid(decoder.decode(slug == null ? "preset" : slug, body, problems));
  }

  /** {@code GET /presets}. */
  private WireResponse list(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = context.newProblems();
    WorkspacePage query = Queries.workspacePage(request.query(), problems);
    String workspace = context.workspaceOf(caller, query.workspaceId(), problems);
    problems.throwIfAny();
    ListPage<SavedPreset> page =
        presets().list(workspace, query.page().offset(), query.page().limit());
    return list(page, SavedPreset::toJson, responseFactory);
  }

  /** {@code GET /presets/{slug}}. */
  private WireResponse get(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = context.newProblems();
    String workspace = workspace(caller, request, problems);
    String slug = slug(request, problems);
    problems.throwIfAny();
    SavedPreset preset = presets().find(workspace, orEmpty(slug));
    return responseFactory.dataOrNotFound(preset == null ? null : preset.toJson());
  }

  /** {@code GET /presets/{slug}/versions}. */
  private WireResponse versions(
      Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = context.newProblems();
    String slug = slug(request, problems);
    WorkspacePage query = Queries.workspacePage(request.query(), problems);
    String workspace = context.workspaceOf(caller, query.workspaceId(), problems);
    problems.throwIfAny();
    PageRequest pageRequest = query.page();
    ListPage<PresetVersion> page =
        requireFound(
            presets()
                .versions(workspace, orEmpty(slug), pageRequest.offset(), pageRequest.limit()));
    return list(page, PresetVersion::toJson, responseFactory);
  }

  /** {@code GET /presets/{slug}/versions/{version}}. */
  private WireResponse version(
      Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = context.newProblems();
    String slug = slug(request, problems);
    Integer number = PathParameters.presetVersion(PathSegment.of(request, VERSION_INDEX), problems);
    String workspace = workspace(caller, request, problems);
    problems.throwIfAny();
    PresetVersion version =
        presets().version(workspace, orEmpty(slug), number == null ? 0 : number);
    return responseFactory.dataOrNotFound(version == null ? null : version.toJson());
  }

  private static @Nullable String slug(WireRequest request, Problems problems) {
    return PathParameters.presetSlug(PathSegment.of(request, SLUG_INDEX), problems);
  }

  private String workspace(Caller caller, WireRequest request, Problems problems) {
    return context.workspaceOf(caller, Queries.workspace(request.query(), problems), problems);
  }

  /** Returns the slug; it is never null after {@link Problems#throwIfAny} has found no problem. */
  private static String orEmpty(@Nullable String slug) {
    return slug == null ? "" : slug;
  }

  private static <T> T requireFound(@Nullable T resource) {
    if (resource == null) {
      throw GatewayError.of(ErrorCode.NOT_FOUND).toException();
    }
    return resource;
  }

  private static <T> WireResponse list(
      ListPage<T> page, Function<T, Json.Obj> toJson, ResponseFactory responseFactory) {
    return responseFactory.list(page.items().stream().map(toJson).toList(), page.total());
  }

  private PresetDirectory presets() {
    return context.resources().presets();
  }
}
