package com.example;

import io.strowger.core.Gateway;
import io.strowger.core.client.ChatAnswer;
import io.strowger.core.client.ChatClient;
import io.strowger.core.config.GatewayConfig;
import io.strowger.simulated.SimulatedFactory;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.GatewayException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Asks the questions in a file, ten at a time, and spends no more than a limit. */
public final class BatchProgram {
  private static final String KEY = "sk-batch";

  /** Few enough that a gateway in the smallest heap accepts them without a queue. */
  private static final int AT_ONCE = 10;

  private static final int ATTEMPTS = 5;

  private BatchProgram() {}

  /**
   * The outcome of a question.
   *
   * @param line the answer, or why there is none
   */
  record Outcome(String question, String line, Usd cost, boolean answered) {}

  /**
   * Asks all questions and returns their outcomes, in order.
   *
   * @param limit the most that all questions together may cost, in US dollars
   */
  static List<Outcome> askAll(List<String> questions, String limit)
      throws InterruptedException, ExecutionException {
    GatewayConfig config =
        GatewayConfig.builder()
            .provider("alpha", "simulated", "http://localhost/alpha", p -> {})
            .provider("beta", "simulated", "http://localhost/beta", p -> {})
            .model(
                "acme/large",
                m ->
                    m.endpoint("alpha", e -> e.usdPerMillion("1", "2"))
                        .endpoint("beta", e -> e.usdPerMillion("1", "3")))
            .key("batch", KEY, k -> k.limit(limit))
            .build();
    // with real providers: Gateway.open(config)
    try (Gateway gateway = Gateway.builder(config).provider(new SimulatedFactory()).build();
        var threads = Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
      ChatClient chat = gateway.chat(KEY);
      var asked = new ArrayList<Future<Outcome>>();
      for (String question : questions) {
        asked.add(threads.submit(() -> ask(chat, question)));
      }
      var outcomes = new ArrayList<Outcome>();
      for (Future<Outcome> one : asked) {
        outcomes.add(one.get());
      }
      return outcomes;
    }
  }

  private static Outcome ask(ChatClient chat, String question) throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      try {
        ChatAnswer answer = chat.ask("acme/large").user(question).maxTokens(100).call();
        String line = answer.text() + " (" + answer.servedBy().id() + ", " + answer.cost() + ")";
        return new Outcome(question, line, answer.cost(), true);
      } catch (GatewayException e) {
        OptionalLong wait = e.error().retryAfterSeconds();
        if (wait.isEmpty() || attempt == ATTEMPTS) {
          String line = e.error().code() + ": " + e.error().message();
          return new Outcome(question, line, Usd.ZERO, false);
        }
        Thread.sleep(Duration.ofSeconds(wait.getAsLong())); // the gateway says when to try again
      }
    }
  }

  /** Asks the questions in questions.txt, or in the file given as argument. */
  public static void main(String[] args)
      throws IOException, InterruptedException, ExecutionException {
    Path file = Path.of(args.length > 0 ? args[0] : "questions.txt");
    List<Outcome> outcomes = askAll(Files.readAllLines(file), args.length > 1 ? args[1] : "0.05");
    outcomes.forEach(one -> System.out.println(one.question() + "\n  " + one.line()));
    Usd total = outcomes.stream().map(Outcome::cost).reduce(Usd.ZERO, Usd::plus);
    long answered = outcomes.stream().filter(Outcome::answered).count();
    System.out.println(answered + " of " + outcomes.size() + " answered for " + total);
  }
}
