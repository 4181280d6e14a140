package io.strowger.core.dialect.chat;

import io.strowger.core.dialect.CostMembers;
import io.strowger.core.dialect.ObjectWriter;
import io.strowger.core.meter.Bill;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the {@code usage} object of the chat format: the upstream's own, overwritten with what the
 * gateway counts and charges. Chat fact sheet, section 7.
 */
final class ChatUsageWriter {
  private static final String SERVER_TOOLS = "server_tool_use_details";

  /** The members that the gateway sets itself, so those of an upstream are dropped. */
  private static final Set<String> GATEWAY_MEMBERS =
      Set.of(
          "prompt_tokens", "completion_tokens", "total_tokens", "cost", "is_byok", "cost_details");

  private ChatUsageWriter() {}

  /** Returns the usage object of an upstream's frame; null when there is none in this format. */
  static Json.@Nullable Obj upstreamUsage(Json.@Nullable Obj frame) {
    Json.Obj usage = frame == null ? null : frame.object("usage");
    return usage == null || !usage.has("prompt_tokens") ? null : usage;
  }

  /**
   * Writes the members of the usage object and ends it.
   *
   * @param bill the bill; null when the answer was not billed
   * @param upstream the upstream's usage object; null when it gave none in this format
   */
  static void write(
      Usage usage, @Nullable Bill bill, Json.@Nullable Obj upstream, ObjectWriter body) {
    body.put("prompt_tokens", usage.promptTokens())
        .put("completion_tokens", usage.completionTokens())
        .put("total_tokens", usage.promptTokens() + usage.completionTokens());
    boolean usesTools =
        usage.searches() + usage.toolCallsRequested() + usage.toolCallsExecuted() > 0;
    if (upstream == null) {
      writePromptDetails(usage, body.object("prompt_tokens_details"));
      writeCompletionDetails(usage, body.object("completion_tokens_details"));
    } else {
      for (int i = 0; i < upstream.size(); i++) {
        String name = upstream.name(i);
        if (!GATEWAY_MEMBERS.contains(name) && !(usesTools && name.equals(SERVER_TOOLS))) {
          body.putMember(upstream, i);
        }
      }
    }
    CostMembers.write(bill, body);
    if (usesTools) {
      writeServerTools(usage, body.object(SERVER_TOOLS));
    }
    body.end();
  }

  private static void writePromptDetails(Usage usage, ObjectWriter body) {
    body.put("cached_tokens", usage.cacheRead())
        .put("cache_write_tokens", usage.cacheWrite5m() + usage.cacheWrite1h())
        .put("audio_tokens", usage.inputAudio())
        .end();
  }

  private static void writeCompletionDetails(Usage usage, ObjectWriter body) {
    body.put("reasoning_tokens", usage.reasoning()).put("audio_tokens", usage.outputAudio()).end();
  }

  private static void writeServerTools(Usage usage, ObjectWriter body) {
    body.put("web_search_requests", usage.searches())
        .put("tool_calls_requested", usage.toolCallsRequested())
        .put("tool_calls_executed", usage.toolCallsExecuted())
        .end();
  }
}
