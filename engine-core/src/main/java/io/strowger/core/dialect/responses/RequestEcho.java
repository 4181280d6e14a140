package io.strowger.core.dialect.responses;

import io.strowger.spi.json.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the members of the request that a response repeats: as the caller wrote them, otherwise
 * with the documented default. A null from the caller counts as absent. Responses fact sheet,
 * "Response".
 */
final class RequestEcho {
  /**
   * @param standard the default when the caller gave no value; null to omit the member
   * @param known whether the value in the upstream's response is preferred to the default
   */
  private record Member(String name, @Nullable Json standard, boolean known) {}

  private static final Json.Obj DEFAULT_REASONING =
      Json.object().put("effort", Json.NULL).put("summary", Json.NULL).build();

  private static final Json.Obj PLAIN_TEXT =
      Json.object().put("format", Json.object().put("type", "text").build()).build();

  private static final List<Member> MEMBERS =
      List.of(
          always("background", Json.FALSE),
          always("instructions", Json.NULL),
          orUpstreamValue("max_output_tokens", Json.NULL),
          given("max_tool_calls"),
          always("metadata", Json.Obj.EMPTY),
          always("parallel_tool_calls", Json.TRUE),
          always("previous_response_id", Json.NULL),
          given("prompt"),
          given("prompt_cache_key"),
          orUpstreamValue("frequency_penalty", Json.of(0)),
          orUpstreamValue("presence_penalty", Json.of(0)),
          orUpstreamValue("reasoning", DEFAULT_REASONING),
          given("safety_identifier"),
          always("store", Json.FALSE),
          orUpstreamValue("temperature", Json.of(1)),
          orUpstreamValue("text", PLAIN_TEXT),
          always("tool_choice", Json.of("auto")),
          always("tools", Json.array()),
          given("top_logprobs"),
          orUpstreamValue("top_p", Json.of(1)),
          orUpstreamValue("truncation", Json.of("disabled")),
          given("user"));

  /** The names of the repeated members. */
  static final Set<String> NAMES = names();

  private RequestEcho() {}

  private static Member always(String name, Json standard) {
    return new Member(name, standard, false);
  }

  private static Member orUpstreamValue(String name, Json standard) {
    return new Member(name, standard, true);
  }

  private static Member given(String name) {
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
   * @param asked the document of the request
   * @param upstream the upstream's response; null when it is of another dialect
   */
  static void put(Json.Obj asked, Json.@Nullable Obj upstream, Json.Obj.Builder response) {
    for (Member member : MEMBERS) {
      Json value = said(asked, member.name());
      if (value == null && member.known() && upstream != null) {
        value = said(upstream, member.name());
      }
      Json told = value == null ? member.standard() : value;
      if (told != null) {
        response.put(member.name(), told);
      }
    }
  }

  private static @Nullable Json said(Json.Obj document, String name) {
    Json value = document.get(name);
    return value instanceof Json.Null ? null : value;
  }
}
