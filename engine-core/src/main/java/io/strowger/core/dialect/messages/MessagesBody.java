package io.strowger.core.dialect.messages;

import static io.strowger.core.decode.MemberTable.kept;
import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.integer;
import static io.strowger.core.decode.Rules.integerAtLeast;
import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.list;
import static io.strowger.core.decode.Rules.models;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.number;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.textUpTo;
import static io.strowger.core.decode.Rules.wordAmong;
import static io.strowger.core.dialect.messages.MessagesDraft.uses;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.core.dialect.CacheControl;
import io.strowger.core.dialect.PluginEntries;
import io.strowger.core.dialect.ProviderObject;
import io.strowger.core.dialect.StopConditions;
import io.strowger.core.dialect.Trace;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import java.util.List;
import java.util.Objects;

/**
 * The body. Contract: "POST /messages"; messages fact sheet, section 1. {@code max_tool_calls} is
 * that of every endpoint: open questions, 11; above 30 it is capped where tools are run.
 */
final class MessagesBody {
  private static final int FALLBACKS = 3;
  private static final int ID_CHARS = 256;

  private static final Rule<String> FALLBACK =
      MemberTable.mapped(
          MemberTable.<Json.Obj>table()
              .required("model", name())
              .closed("is not a member of a fallback, which has only model")
              .build(),
          fallback -> Objects.requireNonNull(fallback.text("model")));

  private static final Rule<List<String>> FALLBACK_LIST = list(FALLBACK, 0, FALLBACKS);

  private static final Rule<Json.Obj> METADATA =
      kept(MemberTable.<Json.Obj>table().optional("user_id", string().orNull()).build());

  static final MemberTable<MessagesDraft> TABLE =
      MemberTable.<MessagesDraft>table()
          .optional("fallbacks", FALLBACK_LIST.orNull(), MessagesDraft::fallbacks)
          .optional("speed", wordAmong("fast", "standard").orNull())
          .optional("stop_server_tools_when", StopConditions.RULE)
          .optional("max_tool_calls", integerAtLeast(1).orNull())
          .optional("output_config", OutputConfig.RULE, MessagesDraft::outputConfig)
          .optional("trace", Trace.RULE)
          .required("model", name(), MessagesDraft::model)
          .required(
              "messages",
              list(MessageTurnRules.MESSAGE, 1, Integer.MAX_VALUE),
              (draft, messages) -> draft.to().messages(messages))
          .optional("max_tokens", integer(1, Integer.MAX_VALUE), MessagesDraft::maxTokens)
          .optional("system", MessageTurnRules.INSTRUCTIONS, MessagesDraft::instructions)
          .optional("models", models(), MessagesDraft::models)
          .optional("stop_sequences", items(string()), uses(Parameter.STOP))
          .optional("temperature", number(0, 1), uses(Parameter.TEMPERATURE))
          .optional("top_p", number(), uses(Parameter.TOP_P))
          .optional("top_k", integer(), uses(Parameter.TOP_K))
          .optional("stream", bool(), (draft, on) -> draft.to().streaming(on.value()))
          .optional("thinking", ThinkingRule.RULE, MessagesDraft::thinking)
          .optional("tool_choice", MessagesToolChoiceRule.RULE, MessagesDraft::toolChoice)
          .optional("tools", MessagesTools.RULE, MessagesDraft::tools)
          .optional("metadata", METADATA)
          .optional("service_tier", string())
          .optional("cache_control", CacheControl.RULE)
          .optional("context_management", ContextManagement.RULE.orNull())
          .optional("plugins", PluginEntries.RULE, (draft, entries) -> draft.to().plugins(entries))
          .optional(
              "provider",
              ProviderObject.RULE.orNull(),
              (draft, preferences) -> draft.to().preferences(preferences))
          .optional("route", wordAmong("fallback", "sort").orNull())
          .optional("session_id", textUpTo(ID_CHARS), (draft, id) -> draft.to().sessionId(id))
          .optional("user", textUpTo(ID_CHARS), (draft, id) -> draft.to().user(id))
          .also(MessagesDraft::oneListOfModels)
          .also(MessagesDraft::thinkingFits)
          .also(MessagesDraft::searchesFreely)
          .build();

  private MessagesBody() {}
}
