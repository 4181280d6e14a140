package io.strowger.core.dialect.responses;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/** Receives the events of an output in progress. Called by one thread. */
interface OutputListener {
  /** The listener of an output that is not streamed. */
  OutputListener NO_OP =
      new OutputListener() {
        @Override
        public void onEvent(String type, Json.Obj members) {}

        @Override
        public void onText(ItemText itemText, Json.Str text, Json.Arr logprobs) {}

        @Override
        public void onUpstreamFrame(Json.Obj frame, int outputIndex, Json.@Nullable Str delta) {}
      };

  /**
   * Called for an event of the output.
   *
   * @param members the event's members except its type and sequence number
   */
  void onEvent(String type, Json.Obj members);

  /**
   * Called when text was appended.
   *
   * @param logprobs the log probabilities of the text's tokens; empty when unknown
   */
  void onText(ItemText itemText, Json.Str text, Json.Arr logprobs);

  /**
   * Called for an event of the upstream.
   *
   * @param outputIndex the index of the event's item in this output; -1 when the event concerns no
   *     item
   * @param delta the text that replaces the event's; null to keep the event's own
   */
  void onUpstreamFrame(Json.Obj frame, int outputIndex, Json.@Nullable Str delta);
}
