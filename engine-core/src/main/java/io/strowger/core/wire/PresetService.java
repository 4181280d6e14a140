package io.strowger.core.wire;

import io.strowger.core.account.Caller;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.query.Page;
import io.strowger.core.decode.query.PathParameters;
import io.strowger.core.decode.query.Queries;
import io.strowger.core.decode.resource.PresetDecoder;
import io.strowger.core.preset.PresetDirectory;
import io.strowger.core.preset.PresetDirectory.Listed;
import io.strowger.core.preset.PresetReferences;
import io.strowger.core.preset.PresetVersion;
import io.strowger.core.preset.SavedPreset;
import io.strowger.core.resource.PresetCreate;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@code /presets}: makes presets of the bodies of requests, and shows them. A preset belongs to
 * the workspace of the key it is made with; the keys of other workspaces do not see it. Contract:
 * "POST /presets/{slug}/chat/completions"; resources fact sheet, sections 1 and 2. Safe on any
 * thread.
 */
final class PresetService {
  private static final int SLUG = 1;
  private static final int VERSION = 3;

  private final PresetDirectory presets;
  private final BodyReader bodies;
  private final int problemLimit;

  PresetService(PresetDirectory presets, BodyReader bodies, int problemLimit) {
    this.presets = presets;
    this.bodies = bodies;
    this.problemLimit = problemLimit;
  }

  /** Makes presets of bodies of one dialect. */
  Service creating(PresetDecoder decoder) {
    return (caller, request, responses) -> {
      PresetCreate wanted = wanted(decoder, request);
      SavedPreset made = presets.create(caller.workspace(), caller.user(), wanted);
      return responses.found(made.toJson());
    };
  }

  /** The body is judged also when the slug in the path is wrong: then for one that would do. */
  private PresetCreate wanted(PresetDecoder decoder, WireRequest request) {
    var problems = new Problems(problemLimit);
    String slug = slug(request, problems);
    Json.Obj body = bodies.read(request);
    PresetReferences.refuse(body, problems);
    PresetCreate wanted = decoder.decode(slug == null ? "preset" : slug, body, problems);
    problems.throwIfAny();
    if (wanted == null) {
      throw new IllegalStateException("a body was refused without a word");
    }
    return wanted;
  }

  /** {@code GET /presets}. */
  WireResponse list(Caller caller, WireRequest request, Responses responses) {
    var problems = new Problems(problemLimit);
    Page page = Queries.presets(request.query(), problems);
    problems.throwIfAny();
    Listed<SavedPreset> listed = presets.list(caller.workspace(), page.offset(), page.limit());
    return list(listed, SavedPreset::toJson, responses);
  }

  /** {@code GET /presets/{slug}}. */
  WireResponse get(Caller caller, WireRequest request, Responses responses) {
    SavedPreset preset = presets.find(caller.workspace(), goodSlug(request));
    return responses.found(preset == null ? null : preset.toJson());
  }

  /** {@code GET /presets/{slug}/versions}. */
  WireResponse versions(Caller caller, WireRequest request, Responses responses) {
    var problems = new Problems(problemLimit);
    String slug = slug(request, problems);
    Page page = Queries.presets(request.query(), problems);
    problems.throwIfAny();
    Listed<PresetVersion> listed =
        found(presets.versions(caller.workspace(), known(slug), page.offset(), page.limit()));
    return list(listed, PresetVersion::toJson, responses);
  }

  /** {@code GET /presets/{slug}/versions/{version}}. */
  WireResponse version(Caller caller, WireRequest request, Responses responses) {
    var problems = new Problems(problemLimit);
    String slug = slug(request, problems);
    Integer number = PathParameters.presetVersion(request.segment(VERSION), problems);
    problems.throwIfAny();
    PresetVersion version =
        presets.version(caller.workspace(), known(slug), number == null ? 0 : number);
    return responses.found(version == null ? null : version.toJson());
  }

  private static @Nullable String slug(WireRequest request, Problems problems) {
    return PathParameters.presetSlug(request.segment(SLUG), problems);
  }

  private String goodSlug(WireRequest request) {
    var problems = new Problems(problemLimit);
    String slug = slug(request, problems);
    problems.throwIfAny();
    return known(slug);
  }

  /** Where there was no problem there is a slug. */
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
      Listed<T> listed, Function<T, Json.Obj> shown, Responses responses) {
    return responses.list(listed.items().stream().map(shown).toList(), listed.total());
  }
}
