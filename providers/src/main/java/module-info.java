/** The adapters for upstream dialects. Packages exported to one module only are internal. */
@SuppressWarnings("module") // the modules named after "to" are compiled after this one
module io.strowger.providers {
  requires com.google.common;
  requires org.apache.httpcomponents.core5.httpcore5;
  requires static transitive org.jspecify;
  requires transitive io.strowger.spi;

  exports io.strowger.providers.chat;
  exports io.strowger.providers.gemini;
  exports io.strowger.providers.http;
  exports io.strowger.providers.messages;
  exports io.strowger.providers.responses;
  exports io.strowger.providers.upstream to
      io.strowger.host;

  provides io.strowger.spi.provider.ProviderFactory with
      io.strowger.providers.chat.OpenAiChatFactory,
      io.strowger.providers.responses.OpenAiResponsesFactory,
      io.strowger.providers.messages.AnthropicMessagesFactory,
      io.strowger.providers.gemini.GeminiFactory;
  provides io.strowger.spi.provider.TransportFactory with
      io.strowger.providers.upstream.HttpTransports.Factory;
}
