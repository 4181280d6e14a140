package io.strowger.core.http;

import io.strowger.core.authentication.Caller;
import io.strowger.core.decode.Problems;
import io.strowger.core.preset.PresetDirectory;
import io.strowger.core.preset.PresetDirectory.Listed;
import io.strowger.core.preset.PresetReferences;
import io.strowger.core.preset.PresetVersion;
import io.strowger.core.preset.SavedPreset;
import io.strowger.core.resource.PathParameters;
import io.strowger.core.resource.PresetCreate;
import io.strowger.core.resource.PresetDecoder;
import io.strowger.core.resource.Queries;
import io.strowger.core.resource.Queries.PageRequest;
import io.strowger.core.resource.Queries.WorkspacePage;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@code /presets}: creates presets from request bodies, and shows them. A preset belongs to a
 * workspace; the keys of other workspaces do not see it. Management keys act on the one that {@code
 * workspace_id} in the query names, or else on the default one. Contract: "POST
 * /presets/{slug}/chat/completions"; resources fact sheet, sections 1 and 2. Safe on any thread.
 */
final class PresetService {
  private static final int SLUG = 1;
  private static final int VERSION = 3;

  private final PresetDirectory presets;
  private final WorkspaceIdResolver workspaces;
  private final BodyReader bodies;
  private final int problemLimit;

  PresetService(ResourceServices resources, BodyReader bodies, int problemLimit) {
    this.presets = resources.presets();
    this.workspaces = new WorkspaceIdResolver(resources.account().workspaces());
    this.bodies = bodies;
    this.problemLimit = problemLimit;
  }

  /** Returns the handler that creates presets from bodies of one dialect. */
  OperationHandler creating(PresetDecoder decoder) {
    return (caller, request, responseFactory) -> {
      var problems = new Problems(problemLimit);
      String workspace = workspace(caller, request, problems);
      PresetCreate wanted = wanted(decoder, request, problems);
      SavedPreset made = presets.create(workspace, caller.author(request.client()), wanted);
      return responseFactory.found(made.toJson());
    };
  }

  /** Validates the body even when the slug in the path is wrong, so that all problems are noted. */
  private PresetCreate wanted(PresetDecoder decoder, WireRequest request, Problems problems) {
    String slug = slug(request, problems);
    Json.Obj body = bodies.read(request);
    PresetReferences.refuse(body, problems);
    return problems.requireValid(decoder.decode(slug == null ? "preset" : slug, body, problems));
  }

  /** {@code GET /presets}. */
  WireResponse list(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = new Problems(problemLimit);
    WorkspacePage asked = Queries.presets(request.query(), problems);
    String workspace = workspaces.of(caller, asked.workspaceId(), problems);
    problems.throwIfAny();
    Listed<SavedPreset> listed =
        presets.list(workspace, asked.page().offset(), asked.page().limit());
    return list(listed, SavedPreset::toJson, responseFactory);
  }

  /** {@code GET /presets/{slug}}. */
  WireResponse get(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = new Problems(problemLimit);
    String workspace = workspace(caller, request, problems);
    String slug = slug(request, problems);
    problems.throwIfAny();
    SavedPreset preset = presets.find(workspace, known(slug));
    return responseFactory.found(preset == null ? null : preset.toJson());
  }

  /** {@code GET /presets/{slug}/versions}. */
  WireResponse versions(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = new Problems(problemLimit);
    String slug = slug(request, problems);
    WorkspacePage asked = Queries.presets(request.query(), problems);
    String workspace = workspaces.of(caller, asked.workspaceId(), problems);
    problems.throwIfAny();
    PageRequest pageRequest = asked.page();
    Listed<PresetVersion> listed =
        found(presets.versions(workspace, known(slug), pageRequest.offset(), pageRequest.limit()));
    return list(listed, PresetVersion::toJson, responseFactory);
  }

  /** {@code GET /presets/{slug}/versions/{version}}. */
  WireResponse version(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = new Problems(problemLimit);
    String slug = slug(request, problems);
    Integer number = PathParameters.presetVersion(PathSegment.of(request, VERSION), problems);
    String workspace = workspace(caller, request, problems);
    problems.throwIfAny();
    PresetVersion version = presets.version(workspace, known(slug), number == null ? 0 : number);
    return responseFactory.found(version == null ? null : version.toJson());
  }

  private static @Nullable String slug(WireRequest request, Problems problems) {
    return PathParameters.presetSlug(PathSegment.of(request, SLUG), problems);
  }

  private String workspace(Caller caller, WireRequest request, Problems problems) {
    return workspaces.of(caller, Queries.workspace(request.query(), problems), problems);
  }

  /** Returns the slug; it is never null after {@link Problems#throwIfAny} has found no problem. */
  private static String known(@Nullable String slug) {
    return slug == null ? "" : slug;
  }

  private static <T> T found(@Nullable T resource) {
    if (resource == null) {
      throw GatewayError.of(ErrorCode.NOT_FOUND).toException();
    }
    return resource;
  }

  private static <T> WireResponse list(
      Listed<T> listed, Function<T, Json.Obj> shown, ResponseFactory responseFactory) {
    return responseFactory.list(listed.items().stream().map(shown).toList(), listed.total());
  }
}
