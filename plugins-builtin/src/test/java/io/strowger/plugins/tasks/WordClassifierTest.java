package io.strowger.plugins.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Tool;
import io.strowger.tck.Given;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The classifier of tasks by words")
class WordClassifierTest {
  private final WordClassifier classifier = new WordClassifier();

  /** A prompt and its label. */
  record Example(String label, String prompt) {}

  static Stream<Example> examples() {
    return EXAMPLES
        .lines()
        .filter(line -> !line.isBlank())
        .map(line -> new Example(line.split(" \\| ", 2)[0].strip(), line.split(" \\| ", 2)[1]));
  }

  private static final String EXAMPLES =
      """
      code:debugging | I get a NullPointerException in this method, here is the stack trace. Why does it crash?
      code:debugging | Fix the bug in my Python loop, it fails with an index error
      code:debugging | My program doesn't work: Traceback (most recent call last): KeyError
      code:review | Please do a code review of this pull request and comment on the diff
      code:review | Review my code for code smells
      code:refactoring | Refactor this class to remove duplication
      code:refactoring | Help refactoring: extract method and rename variables to be readable
      code:testing | Write unit tests for this parser with JUnit
      code:testing | Add pytest test cases for the edge cases of divide()
      code:explanation | Explain this code line by line ```for x in y: print(x)```
      code:explanation | What does this function do? ```int f(int a){return a*a;}```
      code:sql | Write an SQL query that joins orders and customers
      code:sql | Why is my Postgres index on this table not used by the query planner
      code:devops | Write a Dockerfile and a Kubernetes deployment yaml for this service
      code:devops | Set up GitHub Actions to deploy with Terraform
      code:web | Build a React component with Tailwind CSS for a pricing page
      code:web | Make an HTML webpage with a centered button
      code:generation | Write a function in Rust that reverses a linked list
      code:generation | Implement the quicksort algorithm in Java
      agent:multi_step_planning | Make a step plan with milestones to migrate us to the cloud, break down the subtasks
      agent:multi_step_planning | Organize an itinerary for five days in Lisbon and plan the schedule
      agent:web_research | Search the web, browse three websites and find sources on the latest news about fusion
      agent:tool_use | Use the tool to run the command and then invoke the other tools
      document_qa | According to the attached pdf, on which page are the terms
      math | Solve the equation x^2 - 5x + 6 = 0
      math | Prove that the derivative of the integral is the function: the fundamental theorem
      math | What is the probability of two sixes? Calculate it
      logic_puzzle | Solve this riddle: two knights and one liar stand at a door
      logic_puzzle | Here is a logic puzzle with three clues, deduce who owns the fish
      data_analysis | Analyze this dataset: find outliers and the correlation between age and income
      data_analysis | I have a CSV of sales data, which trends do you see?
      data_extraction | Extract the names and dates as JSON fields from this text
      data_extraction | Parse the invoice into structured key value pairs and extract entities
      classification | Classify the sentiment of this review as positive or negative
      classification | Categorize these tickets: spam or not spam
      translation | Translate this sentence into German: good night
      translation | I need a translation into French
      summarization | Summarize this article in three bullet points
      summarization | TLDR please: give me the key points of the meeting
      rewriting | Rewrite this paragraph in a more formal tone
      rewriting | Proofread and fix the grammar
      email_drafting | Draft an email to my boss asking for a day off
      email_drafting | Write a cover letter for a job at a bakery
      marketing_copy | Write a slogan and a tagline for our new coffee brand
      marketing_copy | SEO product description for a campaign on social media
      creative_writing | Write a short story about a dragon who fears fire
      creative_writing | Compose a haiku, then a limerick
      roleplay | Let's role play: pretend you are a pirate and stay in character
      roleplay | Act as a dungeon master
      customer_support | I want a refund, my order never arrived and the delivery is late
      customer_support | How do I cancel my subscription, there is a problem with my account
      research_report | Write an in depth research report with citations on battery recycling
      research_report | Comprehensive literature overview of sleep studies with sources
      legal | Is this liability clause in the contract valid under the law?
      legal | Can my landlord keep the deposit, and can I sue as a tenant
      medical | What are the symptoms of anemia and which medication helps
      medical | I have a headache and fever, should I see a doctor
      finance | Should I invest in stocks or bonds for retirement
      finance | How does the interest rate affect my mortgage and taxes
      education_tutoring | Teach me fractions, make a quiz for my homework
      education_tutoring | Create flashcards and a lesson for beginner students
      brainstorming | Brainstorm ideas for a birthday gift
      brainstorming | Come up with names for my cat, give me suggestions
      qa_knowledge | What is the capital of Australia?
      qa_knowledge | Who was the first person on the moon and when was it?
      general_chat | hi
      general_chat | Thanks, how are you today
      general_chat | lorem ipsum dolor sit amet
      """;

  private @Nullable String label(String prompt) {
    return classifier.classify(Given.request("router/auto", prompt));
  }

  @Proves("plugins.auto.1")
  @ParameterizedTest(name = "{0}")
  @MethodSource("examples")
  void examples(Example example) {
    assertThat(label(example.prompt())).as(example.prompt()).isEqualTo(example.label());
  }

  @Proves({"plugins.auto.1", "open.50"})
  @Test
  @DisplayName("has about thirty well-formed labels, each tested by an example or a feature")
  void labels() {
    assertThat(classifier.labels())
        .hasSizeBetween(28, 40)
        .doesNotHaveDuplicates()
        .allMatch(label -> label.matches("[a-z_]+(:[a-z_]+)?"))
        .allMatch(label -> label.length() <= TaskClassifier.MAX_LABEL_CHARS);
    Set<String> tried = examples().map(Example::label).collect(Collectors.toSet());
    tried.addAll(Set.of("vision:image_understanding", "audio:understanding"));
    assertThat(tried).containsExactlyInAnyOrderElementsOf(classifier.labels());
  }

  private static InferenceRequest request(Part... parts) {
    var message =
        new Message(
            Message.Role.USER, List.of(parts), Message.ContentForm.LIST, Json.Obj.EMPTY, null);
    return Given.request("router/auto", "").toBuilder().messages(List.of(message)).build();
  }

  @Test
  @DisplayName("takes account of pictures, sound, documents, tools and a JSON format")
  void features() {
    var text = new Part.Text("and this one");
    var image = new Part.Image(Json.of("https://x.test/a.png"), Json.Obj.EMPTY, null);
    assertThat(classifier.classify(request(image, text))).isEqualTo("vision:image_understanding");
    var audio = new Part.Audio(Json.of("AAAA"), "wav", Json.Obj.EMPTY, null);
    assertThat(classifier.classify(request(audio))).isEqualTo("audio:understanding");
    var file = new Part.File(Json.Obj.EMPTY, Json.Obj.EMPTY, null);
    assertThat(classifier.classify(request(file, text))).isEqualTo("document_qa");
    var tool = new Tool.Function("f", null, null, Json.Obj.EMPTY, null);
    assertThat(classifier.classify(request(text).toBuilder().tools(List.of(tool)).build()))
        .isEqualTo("agent:tool_use");
    Json.Obj format = Json.object().put("type", "json_object").build();
    var json =
        InferenceRequest.builder(Dialect.CHAT, Json.object().put("response_format", format).build())
            .messages(request(text).messages());
    assertThat(classifier.classify(json.build())).isEqualTo("data_extraction");
    assertThat(label("#question #file")).isEqualTo(WordClassifier.FALLBACK_LABEL);
  }

  @Test
  @DisplayName("reads the latest message of the user, and gives no label without one")
  void latest() {
    var request =
        Given.request("router/auto", "").toBuilder()
            .messages(
                List.of(
                    Message.text(Message.Role.SYSTEM, "Translate everything into German"),
                    Message.text(Message.Role.USER, "Write a poem"),
                    Message.text(Message.Role.ASSISTANT, "Roses are red"),
                    Message.text(Message.Role.USER, "Summarize it"),
                    Message.text(Message.Role.ASSISTANT, "Refactor unit tests")));
    assertThat(classifier.classify(request.build())).isEqualTo("summarization");
    assertThat(classifier.classify(request.messages(List.of()).build())).isNull();
    assertThat(label(" \n ")).isNull();
  }

  @Test
  @DisplayName("reads the beginning and the end of a long text, and gives no label for a huge one")
  void bounds() {
    String filler = "wood ".repeat(4_000);
    assertThat(label("Translate this: " + filler)).isEqualTo("translation");
    assertThat(label(filler + " please summarize")).isEqualTo("summarization");
    assertThat(label(filler + " translate it " + filler)).isEqualTo(WordClassifier.FALLBACK_LABEL);
    assertThat(label("Translate this: " + filler.repeat(20))).isNull();
    assertThat(label("x".repeat(200_000))).isEqualTo(WordClassifier.FALLBACK_LABEL);
  }

  @Test
  @DisplayName("counts a word once, however often it occurs")
  void once() {
    assertThat(label("Summarize: " + "sql ".repeat(500))).isEqualTo("summarization");
  }
}
