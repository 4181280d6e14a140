package io.strowger.core.dialect.responses;

import io.strowger.spi.json.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the members of the request that a response repeats: as the caller wrote them, otherwise,
 * for some, as the upstream's response has them, otherwise with the documented default. A null from
 * the caller or the upstream counts as absent. Responses fact sheet, "Response".
 */
final class RequestEcho {
  /**
   * @param defaultValue the default when the caller gave no value; null to omit the member
   * @param prefersUpstream whether the value in the upstream's response is preferred to the default
   */
  private record Member(String name, @Nullable Json defaultValue, boolean prefersUpstream) {}

  private static final Json.Obj DEFAULT_REASONING =
      Json.object().put("effort", Json.NULL).put("summary", Json.NULL).build();

  private static final Json.Obj DEFAULT_TEXT =
      Json.object().put("format", Json.object().put("type", "text").build()).build();

  private static final List<Member> MEMBERS =
      List.of(
          withDefault("background", Json.FALSE),
          withDefault("instructions", Json.NULL),
          withUpstreamOrDefault("max_output_tokens", Json.NULL),
          ifPresent("max_tool_calls"),
          withDefault("metadata", Json.Obj.EMPTY),
          withDefault("parallel_tool_calls", Json.TRUE),
          withDefault("previous_response_id", Json.NULL),
          ifPresent("prompt"),
          ifPresent("prompt_cache_key"),
          withUpstreamOrDefault("frequency_penalty", Json.of(0)),
          withUpstreamOrDefault("presence_penalty", Json.of(0)),
          withUpstreamOrDefault("reasoning", DEFAULT_REASONING),
          ifPresent("safety_identifier"),
          withDefault("store", Json.FALSE),
          withUpstreamOrDefault("temperature", Json.of(1)),
          withUpstreamOrDefault("text", DEFAULT_TEXT),
          withDefault("tool_choice", Json.of("auto")),
          withDefault("tools", Json.array()),
          ifPresent("top_logprobs"),
          withUpstreamOrDefault("top_p", Json.of(1)),
          withUpstreamOrDefault("truncation", Json.of("disabled")),
          ifPresent("user"));

  /** The names of the repeated members. */
  static final Set<String> NAMES = names();

  private RequestEcho() {}

  private static Member withDefault(String name, Json defaultValue) {
    return new Member(name, defaultValue, false);
  }

  private static Member withUpstreamOrDefault(String name, Json defaultValue) {
    return new Member(name, defaultValue, true);
  }

  private static Member ifPresent(String name) {
    return new Member(name, null, false);
  }

  private static Set<String> names() {
    var names = new HashSet<String>();
    MEMBERS.forEach(member -> names.add(member.name()));
    return Set.copyOf(names);
  }

  /**
   * Puts the repeated members into a response.
   *
   * @param request the document of the request
   * @param upstream the upstream's response; null when it is of another dialect
   */
  static void put(Json.Obj request, Json.@Nullable Obj upstream, Json.Obj.Builder response) {
    for (Member member : MEMBERS) {
      Json value = nonNullMember(request, member.name());
      if (value == null && member.prefersUpstream() && upstream != null) {
        value = nonNullMember(upstream, member.name());
      }
      Json effectiveValue = value == null ? member.defaultValue() : value;
      if (effectiveValue != null) {
        response.put(member.name(), effectiveValue);
      }
    }
  }

  private static @Nullable Json nonNullMember(Json.Obj document, String name) {
    Json value = document.get(name);
    return value instanceof Json.Null ? null : value;
  }
}
