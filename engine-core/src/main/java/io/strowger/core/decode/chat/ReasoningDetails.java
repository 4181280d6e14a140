package io.strowger.core.decode.chat;

import static io.strowger.core.decode.Rules.any;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.whole;
import static io.strowger.core.decode.Rules.word;

import io.strowger.core.decode.Members;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.spi.json.Json;

/**
 * An item of {@code reasoning_details}, which callers send back as they got it. Chat fact sheet,
 * section 3.
 */
final class ReasoningDetails {
  private static final Rule<String> FORMAT =
      word(
          "unknown",
          "openai-responses-v1",
          "azure-openai-responses-v1",
          "bedrock-openai-responses-v1",
          "bedrock-xai-responses-v1",
          "xai-responses-v1",
          "meta-responses-v1",
          "anthropic-claude-v1",
          "google-gemini-v1");

  static final Rule<Json.Obj> DETAIL =
      Union.<Json.Obj>on("type")
          .when(
              "reasoning.text",
              detail(
                  common()
                      .optional("text", string().orNull())
                      .optional("signature", string().orNull())))
          .when("reasoning.summary", detail(common().required("summary", string())))
          .when("reasoning.encrypted", detail(common().required("data", string())))
          .when(
              "reasoning.server_tool_call",
              detail(
                  common()
                      .required("tool_name", string())
                      .required("arguments", any())
                      .required("result", any())
                      .optional("tool_call_id", string())));

  private ReasoningDetails() {}

  /** What every type may have. */
  private static Members.Builder<Json.Obj> common() {
    return Members.<Json.Obj>table()
        .optional("id", string().orNull())
        .optional("index", whole())
        .optional("format", FORMAT.orNull());
  }

  private static Rule<Json.Obj> detail(Members.Builder<Json.Obj> members) {
    return Members.kept(members.build());
  }
}
