package io.strowger.langchain4j;

import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import io.strowger.core.client.ChatClient;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** The settings that both chat models are built from. Immutable. */
record ModelSettings(
    ChatClient client,
    StrowgerChatRequestParameters parameters,
    List<ChatModelListener> listeners,
    Set<Capability> capabilities) {
  ModelSettings {
    Objects.requireNonNull(client, "client");
    listeners = List.copyOf(listeners);
    capabilities = Set.copyOf(capabilities);
  }

  static ModelSettings of(ChatClient client) {
    return new ModelSettings(
        client,
        StrowgerChatRequestParameters.EMPTY,
        List.of(),
        Set.of(Capability.RESPONSE_FORMAT_JSON_SCHEMA));
  }

  ModelSettings with(ChatRequestParameters overrides) {
    return new ModelSettings(client, parameters.overrideWith(overrides), listeners, capabilities);
  }

  ModelSettings with(List<ChatModelListener> replacement) {
    return new ModelSettings(client, parameters, replacement, capabilities);
  }

  ModelSettings with(Set<Capability> replacement) {
    return new ModelSettings(client, parameters, listeners, replacement);
  }
}
