package io.strowger.plugins.fusion;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One run of a panel. Before any model is asked, money is set aside for the whole run: members,
 * analyst and the caller's own answer. If it is not enough for all members, the largest affordable
 * panel is asked, preferring the first members. The panel gets at most half of the remaining time,
 * the analyst at most half of the rest, each at most two minutes. Confined to one thread.
 */
final class PanelRun {
  private static final Duration LONGEST = Duration.ofMinutes(2);
  private static final int MAX_COMPLETION_TOKENS = 16_000;
  private static final long MAX_TOOL_CALLS = 4;

  /** The most bytes of one answer, and of the analysis, written as JSON. */
  private static final int MAX_ANSWER_BYTES = 32_768;

  /** The most bytes of a member's error message. */
  private static final int MAX_ERROR_BYTES = 256;

  private static final int FRAME_BYTES = 256;
  private static final int MAX_SOURCE_BYTES = 12_288; // for all sources together
  private static final int BYTES_PER_TOKEN = 4;
  private static final int FINAL_TOKENS = 1000; // assumed where the caller sets no limit

  /** The assumed bytes of the description of one server tool offered to the caller's model. */
  private static final int TOOL_BYTES = 2048;

  /** The result of a member for which there is not enough money. */
  private static final InnerCall.Result UNPAID =
      new InnerCall.Result(
          null,
          new Event.Failed(
              GatewayError.of(
                  ErrorCode.PAYMENT_REQUIRED, "There is not enough money to ask this model too."),
              null),
          null,
          Usd.ZERO,
          0);

  /** A tool parameter that only the plugin sets: the indices of the members that are paid for. */
  static final String FUNDED = "funded";

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
  private final PanelFunds funds;

  /**
   * @param standard the models to ask if the tool's parameters name none
   */
  PanelRun(Invocation call, Chain chain, List<String> standard) {
    this.call = call;
    this.chain = chain;
    this.funds = new PanelFunds(chain);
    Json.Obj said = call.parameters();
    models = said.list("analysis_models") != null ? said.texts("analysis_models") : standard;
    String judge = said.text("model");
    analyst = judge == null ? call.request().models() : List.of(ModelRef.parse(judge));
    tools = tools(said, chain.innerTools());
    tokens =
        Math.clamp(
            said.whole("max_completion_tokens", MAX_COMPLETION_TOKENS), 1, Integer.MAX_VALUE);
    conversation = PanelPrompt.of(call.request());
  }

  private static List<Tool> tools(Json.Obj said, Set<String> available) {
    List<PanelTool> wanted =
        said.list("tools") instanceof Json.Arr named ? PanelTool.of(named) : PanelTool.STANDARD;
    return wanted.stream()
        .filter(tool -> available.contains(tool.runType()))
        .<Tool>map(tool -> new Tool.Server(tool.runType(), tool.parameters(), null))
        .toList();
  }

  /** Returns the result of a panel that was not asked or that failed. */
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
      List<Integer> asked = fund(candidates(), null);
      if (asked.isEmpty()) {
        return stage(error("insufficient_credits", "Insufficient credits: " + need(least(null))));
      }
      InnerCall last = finalAnswer(asked.size());
      if (funds.has(last)) {
        chain.reserveNext(last);
        funds.take(last);
      }
      askPanel(asked);
      return responses.isEmpty() ? stage(nobodyAnswered()) : stage(answered(asked.size()));
    } catch (GatewayException refused) {
      String reason = PanelFunds.isMoney(refused) ? "insufficient_credits" : "unexpected_error";
      return stage(error(reason, refused.error().message()));
    } finally {
      funds.release();
    }
  }

  /**
   * Sets money aside for the largest affordable panel and for the first turn of the caller's model,
   * before that model decides whether to call the tool. The holds are kept under the names of the
   * calls until the tool runs.
   *
   * @return the indices of the members paid for; empty when the money was there but could not be
   *     set aside
   * @throws GatewayException 402, or 403 for a budget set for the caller, when there is not enough
   *     money for the smallest panel; the message has the sum it needs, and nothing is held
   */
  List<Integer> fundAhead() {
    if (models.isEmpty()) {
      return List.of(); // the tool reports it
    }
    InnerCall first = firstTurn();
    List<Integer> funded = fund(candidates(), first);
    if (!funded.isEmpty()) {
      if (funds.has(first)) {
        chain.reserveNext(first);
      }
      return funded;
    }
    Usd least = least(first);
    try {
      chain.hold(least, "a panel").release(); // expected to throw the refusal
    } catch (GatewayException refused) {
      throw PanelFunds.isMoney(refused)
          ? refused
              .error()
              .withMessage(refused.error().message() + "; " + need(least))
              .toException()
          : refused;
    }
    return List.of();
  }

  private static String need(Usd least) {
    return "fusion needs "
        + least
        + " for its smallest panel: one model, the model that compares, and the answer";
  }

  /** Returns the indices of the members that may be asked: all, or those already paid for. */
  private List<Integer> candidates() {
    var places = new ArrayList<Integer>();
    Json.Arr funded = call.parameters().list(FUNDED);
    for (int i = 0; i < models.size(); i++) {
      if (funded == null || isIn(funded, i)) {
        places.add(i);
      }
    }
    return places;
  }

  private static boolean isIn(Json.Arr places, int place) {
    return places.stream()
        .anyMatch(one -> one instanceof Json.Num number && number.asLong().orElse(-1) == place);
  }

  /**
   * Sets money aside for as many members as possible, and for the calls that follow them.
   *
   * @param first a call to pay for as well; null for none
   * @return the indices of the members; empty when there is not enough for any; then nothing is set
   *     aside
   */
  private List<Integer> fund(List<Integer> candidates, @Nullable InnerCall first) {
    for (int size = candidates.size(); size > 0; size--) {
      List<Integer> funded = fund(candidates, size, first);
      if (funded.size() == size) {
        return funded;
      }
      funds.release();
    }
    return List.of();
  }

  private List<Integer> fund(List<Integer> candidates, int size, @Nullable InnerCall first) {
    var funded = new ArrayList<Integer>();
    if (funds.reserve(longestAnalysis(size))
        && funds.reserve(finalAnswer(size))
        && (first == null || funds.reserve(first))) {
      for (int i = 0; i < candidates.size() && funded.size() < size; i++) {
        if (funds.reserve(member(candidates.get(i)))) {
          funded.add(candidates.get(i));
        }
      }
    }
    return funded;
  }

  /** Returns the money that a panel of the cheapest member needs, with all calls that follow. */
  private Usd least(@Nullable InnerCall first) {
    Usd cheapest = funds.price(member(0));
    for (int i = 1; i < models.size(); i++) {
      Usd one = funds.price(member(i));
      cheapest = cheapest.isMoreThan(one) ? one : cheapest;
    }
    Usd rest = funds.price(longestAnalysis(1)).plus(funds.price(finalAnswer(1)));
    return cheapest.plus(rest).plus(first == null ? Usd.ZERO : funds.price(first));
  }

  private int answerBytes() {
    return (int) Math.min(MAX_ANSWER_BYTES, (long) tokens * BYTES_PER_TOKEN);
  }

  /** Returns the most bytes of this many answers, or of the errors in their place, as JSON. */
  private int answersBytes(int answers) {
    return answers * (Math.max(answerBytes(), MAX_ERROR_BYTES) + FRAME_BYTES);
  }

  private InnerCall member(int place) {
    InferenceRequest.Builder asked =
        asked(List.of(ModelRef.parse(models.get(place))), conversation);
    copy("temperature", asked);
    return new InnerCall("panel " + (place + 1), asked.build());
  }

  private void askPanel(List<Integer> asked) {
    var panel = new ArrayList<InnerCall>();
    for (int place : asked) {
      InnerCall member = member(place);
      panel.add(member.on(funds.take(member)));
    }
    List<InnerCall.Result> results = chain.callAll(panel, share());
    for (int place = 0; place < models.size(); place++) {
      int at = asked.indexOf(place);
      take(models.get(place), at < 0 ? UNPAID : results.get(at));
    }
  }

  /** Returns half of the remaining time, at most two minutes. */
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

  /** Returns the caller's output limit, or the default bounded by what the models can write. */
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

  private InnerCall longestAnalysis(int answers) {
    return analysis("x".repeat(answersBytes(answers)));
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

  /** Returns the longest possible call of the caller's model after this many answers. */
  private InnerCall finalAnswer(int answers) {
    int unpaid = (models.size() - answers) * (MAX_ERROR_BYTES + FRAME_BYTES);
    int result = answersBytes(answers) + unpaid + answerBytes() + MAX_SOURCE_BYTES + FRAME_BYTES;
    return ofOuter("final answer", result);
  }

  /** Returns the first call of the caller's model, with the server tools it is offered. */
  private InnerCall firstTurn() {
    long offered =
        call.request().tools().stream().filter(tool -> tool instanceof Tool.Server).count();
    return ofOuter("first turn", (int) Math.min(offered, 128) * TOOL_BYTES);
  }

  private InnerCall ofOuter(String name, int more) {
    InferenceRequest outer = call.request();
    var messages = new ArrayList<>(outer.messages());
    messages.add(Message.text(Message.Role.USER, "x".repeat(more)));
    List<Tool> functions =
        outer.tools().stream().filter(tool -> !(tool instanceof Tool.Server)).toList();
    int limit = outer.maxOutputTokens();
    return new InnerCall(
        name,
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

  /** Returns the beginning of a text that fits into this many bytes of JSON, including escapes. */
  private static String cut(String said, int most) {
    if (Json.of(said).writtenLength() <= most) {
      return said;
    }
    long left = Math.max(0, most - CUT.length() - 3); // two quotes; the line break takes two bytes
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
      if (sourceBytes + bytes <= MAX_SOURCE_BYTES) {
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
        .put("error", cut(how.error().message(), MAX_ERROR_BYTES))
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

  private Json.Obj answered(int asked) {
    var result = Json.object().put("status", "ok");
    if (analyzed(asked) instanceof Analysis.Read.Sound(Json.Obj analysis)) {
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

  /** Asks the analyst; if it fails, the answers are returned without an analysis. */
  private Analysis.Read analyzed(int asked) {
    String answers = new String(Json.array(responses).toBytes(), StandardCharsets.UTF_8);
    InnerCall analysis = analysis(answers).on(funds.take(longestAnalysis(asked)));
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

  /** Records the calls and what each cost as a stage of the trace; returns the result. */
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
