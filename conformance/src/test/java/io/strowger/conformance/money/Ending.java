package io.strowger.conformance.money;

import static io.strowger.conformance.money.ChatBytes.call;
import static io.strowger.conformance.money.ChatBytes.citation;
import static io.strowger.conformance.money.ChatBytes.counts;
import static io.strowger.conformance.money.ChatBytes.data;
import static io.strowger.conformance.money.ChatBytes.done;
import static io.strowger.conformance.money.ChatBytes.finish;
import static io.strowger.conformance.money.ChatBytes.text;
import static io.strowger.conformance.money.ChatBytes.textOf;
import static io.strowger.conformance.money.ChatBytes.usage;

import io.strowger.conformance.money.ScriptedTransport.Step;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Cancellation;
import java.util.List;
import java.util.function.Function;

/**
 * The rows of the table of who pays in {@code docs/errors.md}, each with the steps of an upstream
 * of the chat dialect that lead to it.
 */
enum Ending {
  COUNTED(
      "the provider finishes and counts", text("12345678"), finish("stop"), usage(7, 3), done()),
  UNCOUNTED("the provider finishes and does not count", text("12345678"), finish("stop"), done()),
  COUNTED_NOTHING(
      "the provider finishes and reports no tokens, or an implausibly low count",
      text("1234567890"),
      finish("stop"),
      usage(0, 0),
      done()),
  COUNTED_TOO_MUCH(
      "the provider finishes and reports an implausibly high count",
      text("12345678"),
      finish("stop"),
      usage(7, 900_000_000_000L),
      done()),
  RESET_AFTER_FINISH(
      "the provider finishes, and what follows is reset, broken or late",
      text("12345678"),
      finish("stop"),
      new Step.Reset()),
  ENDLESS(
      "the provider goes beyond the output it was asked for",
      new Step.SendForever(textOf(text("12345678")))),
  COUNTS_BEYOND(
      "the provider counts, while it streams, more output than it was asked for",
      text("12345678"),
      usage(7, 500),
      new Step.SendForever(textOf(text("12345678")))),
  ERROR_FRAME(
      "the provider reports an error after content",
      text("12345678"),
      usage(7, 3),
      data(Json.object().put("error", Json.object().put("message", "no").build()).build())),
  FINISHED_WITH_ERROR(
      "the provider finishes with the reason `error`",
      text("12345678"),
      usage(7, 3),
      finish("error"),
      done()),
  RESET("the connection ends or is reset before the finish reason", text("1234"), new Step.Reset()),
  NONSENSE(
      "the provider sends nonsense after content",
      text("12345678"),
      new Step.Send("data: {]}\n\n"),
      done()),
  CUT_ARGUMENTS(
      "the provider finishes in the middle of a tool call's arguments",
      call("{\"city\": \"Par"),
      finish("tool_calls"),
      usage(7, 3),
      done()),
  SILENT(
      "the provider is silent for `stream_idle_ms`",
      gateway -> List.of(text("12345678"), gateway.silence())),
  UNREAD(
      "the connection is lost after the caller did not read for `stream_idle_ms`",
      text(MoneyGateway.PAUSE_AFTER),
      new Step.Reset()),
  ALL_PROVIDERS_FAIL("every provider fails before content", new Step.Reset()),
  TOTAL(
      "the request takes longer than `total_ms`, after content",
      gateway -> List.of(text("12345678"), gateway.silenceUntilDeadline())),
  TOTAL_BEFORE(
      "the request takes longer than `total_ms`, before content",
      gateway -> List.of(gateway.silenceUntilDeadline())),
  SHUTDOWN(
      "the gateway shuts down, after content",
      gateway -> List.of(text("12345678"), gateway.cancels(Cancellation.Cause.SHUTDOWN))),
  SHUTDOWN_BEFORE(
      "the gateway shuts down, before content",
      gateway -> List.of(gateway.cancels(Cancellation.Cause.SHUTDOWN))),
  OUT_OF_MEMORY(
      "the gateway runs out of memory while it buffers the answer for a plugin, the tool loop or"
          + " `/responses`",
      text("12345678"),
      new Step.SendForever(textOf(citation("x".repeat(15_000))))),
  PLUGIN_REFUSES(
      "a plugin refuses the rest of the answer",
      text("12345678"),
      text(WordRefusingPlugin.REFUSED_WORD),
      finish("stop"),
      done()),
  GONE(
      "the caller goes away after content",
      gateway -> List.of(text("12345678"), gateway.cancels(Cancellation.Cause.CALLER_GONE))),
  GONE_BEFORE(
      "the caller goes away before content",
      gateway -> List.of(gateway.cancels(Cancellation.Cause.CALLER_GONE))),
  BUG("a bug of an adapter or a plugin ends it", text("12345678"), usage(7, 3), new Step.Bug());

  private final String row;
  private final Function<MoneyGateway, List<Step>> steps;

  Ending(String row, Step... steps) {
    this(row, gateway -> List.of(steps));
  }

  Ending(String row, Function<MoneyGateway, List<Step>> steps) {
    this.row = row;
    this.steps = steps;
  }

  /** Returns the first cell of the row in the table. */
  String row() {
    return row;
  }

  List<Step> steps(MoneyGateway gateway) {
    return steps.apply(gateway);
  }

  /** Returns whether the caller stops reading for a while after the first content. */
  boolean pauses() {
    return this == UNREAD;
  }

  /** Returns whether the request goes through the plugin. */
  boolean usesPlugin() {
    return this == OUT_OF_MEMORY || this == PLUGIN_REFUSES;
  }

  /** Returns whether the caller disconnects. */
  boolean callerIsGone() {
    return this == GONE || this == GONE_BEFORE;
  }

  /** Returns the other sequences of steps that lead to the same row. */
  List<List<Step>> otherForms(MoneyGateway gateway) {
    return switch (this) {
      case COUNTED_NOTHING ->
          List.of(
              List.of(text("12345678"), finish("stop"), usage(7, 0), done()),
              List.of(text("x".repeat(1000)), finish("stop"), usage(7, 1), done()),
              List.of(text("12345678"), finish("stop"), usage(-7, -3), done()),
              List.of(
                  text("12345678"),
                  finish("stop"),
                  data(
                      Json.object()
                          .put("choices", Json.array())
                          .put("usage", counts(0, 0).with("cost", Json.of(0)))
                          .build()),
                  done()));
      case COUNTED_TOO_MUCH ->
          List.of(
              List.of(
                  text("12345678"), finish("stop"), usage(Long.MAX_VALUE, Long.MAX_VALUE), done()));
      case RESET_AFTER_FINISH ->
          List.of(
              List.of(text("12345678"), finish("stop")),
              List.of(text("12345678"), finish("stop"), new Step.Send("data: {\"choi\n\n")),
              List.of(text("12345678"), finish("stop"), new Step.Send("data: []\n\n")),
              List.of(
                  text("12345678"), finish("stop"), new Step.Send("data: {\"choices\":[7]}\n\n")),
              List.of(text("12345678"), finish("stop"), new Step.Send("data: {\"choi")),
              List.of(text("12345678"), finish("stop"), gateway.silence()),
              List.of(text("12345678"), finish("stop"), gateway.silenceUntilDeadline()),
              List.of(
                  text("12345678"), finish("stop"), gateway.cancels(Cancellation.Cause.SHUTDOWN)));
      case GONE ->
          List.of(
              List.of(
                  text("12345678"),
                  finish("stop"),
                  gateway.cancels(Cancellation.Cause.CALLER_GONE)));
      case UNREAD -> List.of(List.of(text(MoneyGateway.PAUSE_AFTER)));
      case ERROR_FRAME ->
          List.of(
              List.of(
                  text("12345678"),
                  finish("stop"),
                  data(
                      Json.object()
                          .put("error", Json.object().put("message", "no").build())
                          .build())));
      case RESET -> List.of(List.of(text("12345678")), List.of(text("12345678"), done()));
      case ENDLESS ->
          List.of(
              List.of(new Step.SendForever(textOf(ChatBytes.reasoning("hm hm hm")))),
              List.of(new Step.SendForever(textOf(call("{\"a\":1, ")))),
              List.of(text("1"), usage(7, 1), new Step.SendForever(textOf(call("{\"a\":1, ")))));
      default -> List.of();
    };
  }
}
