package io.strowger.plugins.fusion;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Tool;
import io.strowger.spi.plugin.InnerCall;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.plugin.ServerTool.Invocation;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.spi.store.Hold;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One asking of a panel. Before anybody is asked, money is set aside for what has to come after the
 * panel, the analyst and the caller's own answer; the panel is asked with what is left, first come
 * first served. Of the time that is left the panel gets at most half, the analyst at most half of
 * the rest, each at most two minutes. For one thread.
 */
final class PanelRun {
  private static final Duration LONGEST = Duration.ofSeconds(120);
  private static final int MAX_COMPLETION_TOKENS = 16_000;
  private static final long MAX_TOOL_CALLS = 4;

  /** Bytes of one answer, and of the analysis, as JSON that others get to read. */
  private static final int MOST_ANSWER_BYTES = 32_768;

  /** Of the error of a member; and of what stands around an answer or an error. */
  private static final int MOST_ERROR_BYTES = 256;

  private static final int FRAME_BYTES = 256;
  private static final int MOST_SOURCE_BYTES = 12_288; // of all of them together
  private static final int BYTES_PER_TOKEN = 4;
  private static final int FINAL_TOKENS = 1000; // assumed where the caller sets no limit
  private static final String CUT = "\n[cut here]";

  private final Invocation call;
  private final Chain chain;
  private final List<String> models;
  private final List<ModelRef> analyst;
  private final List<Tool> tools;
  private final int tokens;
  private final List<Message> conversation;
  private final List<Json> responses = new ArrayList<>();
  private final List<Json> failed = new ArrayList<>();
  private final Map<String, Json> sources = new LinkedHashMap<>();
  private final List<Json> calls = new ArrayList<>();
  private int sourceBytes;
  private @Nullable Hold forAnalyst;

  /**
   * @param standard the models to ask where the tool's parameters name none
   */
  PanelRun(Invocation call, Chain chain, List<String> standard) {
    this.call = call;
    this.chain = chain;
    Json.Obj said = call.parameters();
    models = said.list("analysis_models") instanceof Json.Arr named ? texts(named) : standard;
    String judge = said.text("model");
    analyst = judge == null ? call.request().models() : List.of(ModelRef.parse(judge));
    tools = tools(said, chain.innerTools());
    tokens =
        (int)
            Math.clamp(
                said.whole("max_completion_tokens", MAX_COMPLETION_TOKENS), 1, Integer.MAX_VALUE);
    conversation = PanelPrompt.of(call.request());
  }

  static List<String> texts(Json.Arr items) {
    var texts = new ArrayList<String>();
    for (int i = 0; i < items.size(); i++) {
      if (items.get(i) instanceof Json.Str text) {
        texts.add(text.text());
      }
    }
    return texts;
  }

  private static List<Tool> tools(Json.Obj said, Set<String> available) {
    List<PanelTool> wanted =
        said.list("tools") instanceof Json.Arr named ? PanelTool.of(named) : PanelTool.STANDARD;
    return wanted.stream()
        .filter(tool -> available.contains(tool.runType()))
        .<Tool>map(tool -> new Tool.Server(tool.runType(), tool.parameters(), null))
        .toList();
  }

  /** The result of a panel that was not asked or gave nothing. */
  static Json.Obj error(String reason, String why) {
    return Json.object()
        .put("status", "error")
        .put("error", why)
        .put("failure_reason", reason)
        .build();
  }

  Json.Obj result() {
    if (models.isEmpty()) {
      return error("invalid_model", "There is no model to ask: name some in analysis_models.");
    }
    try {
      forAnalyst =
          reserve("the analyst", () -> chain.reserve(analysis("x".repeat(answersBytes()))));
      reserve(
          "the final answer",
          () -> {
            chain.reserveNext(finalAnswer());
            return null;
          });
      askPanel();
      return responses.isEmpty() ? stage(nobodyAnswered()) : stage(answered());
    } catch (GatewayException refused) {
      String reason = isMoney(refused.error().code()) ? "insufficient_credits" : "unexpected_error";
      return stage(error(reason, refused.error().message()));
    } finally {
      if (forAnalyst != null) {
        forAnalyst.release();
      }
    }
  }

  /**
   * Sets money aside.
   *
   * @return null when no endpoint serves the call, as long as it is assumed to be here: its real
   *     form may be served, and the panel is worth something without it
   * @throws GatewayException when there is no money, or the gateway cannot say
   */
  private @Nullable Hold reserve(String what, Supplier<@Nullable Hold> later) {
    try {
      return later.get();
    } catch (GatewayException refused) {
      ErrorCode code = refused.error().code();
      if (isMoney(code) || code.blame() == ErrorCode.Blame.ENGINE) {
        throw refused;
      }
      chain.note("no money is set aside for " + what + ": " + refused.error().message());
      return null;
    }
  }

  /** Whether a budget is spent: of the key or the account, or of a guardrail or a workspace. */
  private static boolean isMoney(ErrorCode code) {
    return code == ErrorCode.PAYMENT_REQUIRED || code == ErrorCode.BUDGET_EXCEEDED;
  }

  private int answerBytes() {
    return (int) Math.min(MOST_ANSWER_BYTES, (long) tokens * BYTES_PER_TOKEN);
  }

  /** Most bytes of all answers, or of the errors that stand in their places, as JSON. */
  private int answersBytes() {
    return models.size() * (Math.max(answerBytes(), MOST_ERROR_BYTES) + FRAME_BYTES);
  }

  private void askPanel() {
    var panel = new ArrayList<InnerCall>();
    for (int i = 0; i < models.size(); i++) {
      InferenceRequest.Builder asked = asked(List.of(ModelRef.parse(models.get(i))), conversation);
      copy("temperature", asked);
      panel.add(new InnerCall("panel " + (i + 1), asked.build()));
    }
    List<InnerCall.Result> results = chain.callAll(panel, share());
    for (int i = 0; i < results.size(); i++) {
      take(models.get(i), results.get(i));
    }
  }

  /** At most half of what is left. */
  private Duration share() {
    Duration half = chain.remaining().dividedBy(2);
    return half.compareTo(LONGEST) < 0 ? half : LONGEST;
  }

  private InferenceRequest.Builder asked(List<ModelRef> whom, List<Message> messages) {
    InferenceRequest outer = call.request();
    InferenceRequest.Builder asked =
        InferenceRequest.builder(Dialect.CHAT, Json.Obj.EMPTY)
            .models(whom)
            .messages(messages)
            .tools(tools)
            .maxOutputTokens(limit(whom))
            .sessionId(outer.sessionId())
            .user(outer.user())
            .origin(outer.origin());
    asked.member(
        "max_tool_calls", Json.of(call.parameters().whole("max_tool_calls", MAX_TOOL_CALLS)));
    copy("reasoning", asked);
    copy("cache_control", asked);
    return asked;
  }

  /** The usual limit excludes no model that cannot write as much; one the caller sets does. */
  private int limit(List<ModelRef> whom) {
    if (call.parameters().get("max_completion_tokens") != null) {
      return tokens;
    }
    int most =
        chain.catalog().models().stream()
            .filter(model -> whom.stream().anyMatch(ref -> isNamed(model, ref)))
            .flatMap(model -> model.endpoints().stream())
            .mapToInt(Endpoint::maxOutputTokens)
            .max()
            .orElse(tokens);
    return most > 0 ? Math.min(tokens, most) : tokens;
  }

  private boolean isNamed(ModelInfo model, ModelRef ref) {
    return ref.slug().startsWith("~")
        ? ref.slug().equalsIgnoreCase("~" + model.family() + "-latest")
        : model.equals(chain.catalog().model(ref.slug()));
  }

  private void copy(String parameter, InferenceRequest.Builder to) {
    Json value = call.parameters().get(parameter);
    if (value != null) {
      to.member(parameter, value);
    }
  }

  private InnerCall analysis(String answers) {
    var messages = new ArrayList<>(conversation);
    messages.add(Message.text(Message.Role.USER, Analysis.INSTRUCTIONS + "\n\n" + answers));
    return new InnerCall(
        "analyst",
        asked(analyst, messages)
            .member("temperature", Json.of(0))
            .member("response_format", Analysis.FORMAT)
            .build());
  }

  /** What the caller's model is asked next, as long as it can be. */
  private InnerCall finalAnswer() {
    InferenceRequest outer = call.request();
    int result = answersBytes() + answerBytes() + MOST_SOURCE_BYTES + FRAME_BYTES;
    var messages = new ArrayList<>(outer.messages());
    messages.add(Message.text(Message.Role.USER, "x".repeat(result)));
    List<Tool> functions =
        outer.tools().stream().filter(tool -> !(tool instanceof Tool.Server)).toList();
    int limit = outer.maxOutputTokens();
    return new InnerCall(
        "final answer",
        outer.toBuilder()
            .messages(messages)
            .tools(functions)
            .maxOutputTokens(limit > 0 ? limit : FINAL_TOKENS)
            .build());
  }

  private void take(String model, InnerCall.Result result) {
    Answer answer = result.answer();
    String said = answer == null ? "" : said(answer);
    if (answer != null && result.failure() == null && !said.isBlank()) {
      responses.add(
          Json.object()
              .put("model", result.model() == null ? model : result.model())
              .put("content", cut(said, answerBytes()))
              .build());
      answer.parts().forEach(this::cite);
      bill("panel", model, "ok", result);
    } else {
      failed.add(failure(model, result));
      bill("panel", model, "failed", result);
    }
  }

  private static String said(Answer answer) {
    var said = new StringBuilder();
    for (Part part : answer.parts()) {
      if (part instanceof Part.Text text) {
        said.append(text.text().text());
      }
    }
    return said.toString();
  }

  /**
   * What fits into so many bytes of JSON, where quotes and line breaks take more than in a text.
   */
  private static String cut(String said, int most) {
    if (Json.of(said).writtenLength() <= most) {
      return said;
    }
    long left = Math.max(0, most - CUT.length() - 3); // two quotes, and the line break is two
    int end = 0;
    while (end < said.length()) {
      int c = said.codePointAt(end);
      left -= Json.of(Character.toString(c)).writtenLength() - 2;
      if (left < 0) {
        break;
      }
      end += Character.charCount(c);
    }
    return said.substring(0, end) + CUT;
  }

  private void cite(Part part) {
    if (part instanceof Part.Citation citation
        && citation.body().object("url_citation") instanceof Json.Obj cited
        && cited.text("url") instanceof String url
        && !sources.containsKey(url)) {
      String title = cited.text("title");
      Json source =
          Json.object()
              .put("url", url)
              .put("title", title == null || title.isEmpty() ? url : title)
              .build();
      int bytes = source.writtenLength() + 1;
      if (sourceBytes + bytes <= MOST_SOURCE_BYTES) {
        sourceBytes += bytes;
        sources.put(url, source);
      }
    }
  }

  private static Json.Obj failure(String model, InnerCall.Result result) {
    Event.Failed how = result.failure();
    if (how == null) {
      return Json.object().put("model", model).put("error", "The answer is empty.").build();
    }
    boolean theirs = how.code().blame() == ErrorCode.Blame.UPSTREAM && result.upstreamStatus() > 0;
    return Json.object()
        .put("model", model)
        .put("error", cut(how.error().message(), MOST_ERROR_BYTES))
        .put("status_code", theirs ? result.upstreamStatus() : how.code().status())
        .build();
  }

  private void bill(String role, String model, String status, InnerCall.Result result) {
    calls.add(
        Json.object()
            .put("role", role)
            .put("model", result.model() == null ? model : result.model())
            .put("status", status)
            .put("cost_usd", result.cost().json())
            .build());
  }

  private Json.Obj nobodyAnswered() {
    if (chain.cancellation().isCancelled()) {
      return error("cancelled", "Nobody waits for the answer any more.");
    }
    String reason =
        anyFailedWith(402)
            ? "insufficient_credits"
            : anyFailedWith(429) ? "rate_limited" : "all_panels_failed";
    return error(reason, "No model of the panel answered: " + errors());
  }

  private String errors() {
    return failed.stream()
        .map(
            one ->
                one instanceof Json.Obj model
                    ? model.text("model") + ": " + model.text("error")
                    : "")
        .collect(Collectors.joining("; "));
  }

  private boolean anyFailedWith(int status) {
    return failed.stream()
        .anyMatch(one -> one instanceof Json.Obj model && model.whole("status_code", 0) == status);
  }

  private Json.Obj answered() {
    var result = Json.object().put("status", "ok");
    if (analyzed() instanceof Analysis.Read.Sound(Json.Obj analysis)) {
      result.put("analysis", analysis);
    }
    result.put("responses", Json.array(responses));
    if (!failed.isEmpty()) {
      result.put("failed_models", Json.array(failed));
    }
    if (!sources.isEmpty()) {
      result.put("sources", Json.array(List.copyOf(sources.values())));
    }
    return result.build();
  }

  /** Without an analysis the answers are still worth something. */
  private Analysis.Read analyzed() {
    String answers = new String(Json.array(responses).toBytes(), StandardCharsets.UTF_8);
    InnerCall analysis = analysis(answers).on(forAnalyst);
    forAnalyst = null; // over with the call
    InnerCall.Result came = chain.callAll(List.of(analysis), share()).getFirst();
    Answer answer = came.answer();
    Analysis.Read read =
        came.failure() != null
            ? new Analysis.Read.Wrong("judge_upstream_error")
            : Analysis.read(answer == null ? "" : said(answer), chain.codec(), answerBytes());
    String model = analyst.getFirst().toString();
    switch (read) {
      case Analysis.Read.Sound sound -> bill("analyst", model, "ok", came);
      case Analysis.Read.Wrong(String reason) -> {
        bill("analyst", model, reason, came);
        chain.note("the answers are given without an analysis: " + reason);
      }
    }
    return read;
  }

  /** Says what was asked and what each call cost, for the pipeline of the request. */
  private Json.Obj stage(Json.Obj result) {
    var data = Json.object().put("status", String.valueOf(result.text("status")));
    if (result.text("failure_reason") != null) {
      data.put("failure_reason", String.valueOf(result.text("failure_reason")));
    }
    data.put("calls", Json.array(calls));
    chain.stage(
        new TraceEntry.Stage(
            "plugin",
            "fusion",
            responses.size() + " of " + models.size() + " models answered",
            data.build()));
    return result;
  }
}
