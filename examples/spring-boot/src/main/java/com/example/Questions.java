package com.example;

import io.strowger.core.Gateway;
import io.strowger.core.client.ChatAnswer;
import io.strowger.core.client.ChatClient;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Answers questions by asking a model through the gateway in this process. The key's limits apply,
 * and what an answer costs is charged to the key.
 */
@RestController
class Questions {
  private final ChatClient chat;

  Questions(Gateway gateway, @Value("${APP_KEY}") String key) {
    this.chat = gateway.chat(key);
  }

  @GetMapping("/ask")
  String ask(@RequestParam("question") String question) {
    ChatAnswer answer = chat.ask("acme/large").user(question).maxTokens(100).call();
    return answer.text() + " (" + answer.cost() + ")";
  }
}
