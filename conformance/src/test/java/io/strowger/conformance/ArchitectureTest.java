package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@DisplayName("The architecture")
class ArchitectureTest {
  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("io.strowger");

  private static final JavaClasses PLANTED = new ClassFileImporter().importPackages("planted");

  private static Map<String, ArchRule> rules() {
    var rules = new TreeMap<String, ArchRule>();
    rules.put("randomness comes from Ambient", Rules.RANDOMNESS_COMES_FROM_AMBIENT);
    rules.put("core has five libraries", Rules.CORE_HAS_FIVE_LIBRARIES);
    rules.put("core depends only on the SPI", Rules.CORE_DEPENDS_ONLY_ON_SPI);
    rules.put("only the stores use databases", Rules.DATABASES_ONLY_IN_STORES);
    rules.put("the host uses no internals of the engine", Rules.HOST_USES_NO_ENGINE_INTERNALS);
    rules.put("destinations depend only on the SPI", Rules.DESTINATIONS_DEPEND_ONLY_ON_SPI);
    rules.put("only the JSON package and typed use Jackson", Rules.JACKSON_ONLY_IN_JSON_PACKAGE);
    rules.put("models of clients depend only on the client", Rules.MODELS_DEPEND_ONLY_ON_CLIENT);
    rules.put("names are specific", Rules.NAMES_ARE_SPECIFIC);
    rules.put("no abstract classes", Rules.NO_ABSTRACT_CLASSES);
    rules.put("no inheritance between classes", Rules.NO_INHERITANCE);
    rules.put("no package cycles", Rules.NO_PACKAGE_CYCLES);
    rules.put("no printing", Rules.NO_PRINTING);
    rules.put("no provider without funds", Rules.NO_PROVIDER_WITHOUT_FUNDS);
    rules.put("no reflection", Rules.NO_REFLECTION);
    rules.put("no static state", Rules.NO_STATIC_STATE);
    rules.put("no vendor names", Rules.NO_VENDOR_NAMES);
    rules.put("nothing is scanned", Rules.NOTHING_IS_SCANNED);
    rules.put("nothing is synchronized", Rules.NOTHING_SYNCHRONIZED);
    rules.put("planning is pure", Rules.PLAN_IS_PURE);
    rules.put("plugins depend only on the SPI", Rules.PLUGINS_DEPEND_ONLY_ON_SPI);
    rules.put("providers depend only on the SPI", Rules.PROVIDERS_DEPEND_ONLY_ON_SPI);
    rules.put("the servlet depends only on the wire", Rules.SERVLET_DEPENDS_ONLY_ON_WIRE);
    rules.put("simulated depends only on the SPI", Rules.SIMULATED_DEPENDS_ONLY_ON_SPI);
    rules.put(
        "the starter uses no internals of the engine", Rules.STARTER_USES_NO_ENGINE_INTERNALS);
    rules.put("stores depend only on the SPI", Rules.STORES_DEPEND_ONLY_ON_SPI);
    rules.put("telemetry depends only on the SPI", Rules.TELEMETRY_DEPENDS_ONLY_ON_SPI);
    rules.put(
        "only some adapters and the host use telemetry libraries",
        Rules.TELEMETRY_LIBRARIES_ONLY_IN_ADAPTERS);
    rules.put("typed depends only on the client", Rules.TYPED_DEPENDS_ONLY_ON_CLIENT);
    rules.put("the SPI depends only on the JDK", Rules.SPI_DEPENDS_ONLY_ON_JDK);
    rules.put("the TCK depends only on the SPI", Rules.TCK_DEPENDS_ONLY_ON_SPI);
    rules.put("threads come from Ambient", Rules.THREADS_COME_FROM_AMBIENT);
    rules.put("time comes from Ambient", Rules.TIME_COMES_FROM_AMBIENT);
    return rules;
  }

  @TestFactory
  @DisplayName("obeys the rule:")
  Stream<DynamicTest> holds() {
    return rules().entrySet().stream()
        .map(rule -> DynamicTest.dynamicTest(rule.getKey(), () -> rule.getValue().check(MAIN)));
  }

  @TestFactory
  @DisplayName("is reported as broken if a planted class breaks the rule:")
  Stream<DynamicTest> canFail() {
    return rules().entrySet().stream()
        .map(
            rule ->
                DynamicTest.dynamicTest(
                    rule.getKey(),
                    () ->
                        assertThatThrownBy(() -> rule.getValue().check(PLANTED))
                            .isInstanceOf(AssertionError.class)
                            .hasMessageContaining("planted.strowger")));
  }

  @Test
  @DisplayName("is checked in every module, since rules over an empty class path prove nothing")
  void everyModule() {
    assertThat(MAIN.size()).isGreaterThan(250);
    for (String module :
        new String[] {
          "spi",
          "core",
          "providers",
          "simulated",
          "plugins",
          "stores",
          "destinations",
          "telemetry",
          "typed",
          "servlet",
          "spring",
          "langchain4j",
          "springai",
          "tck"
        }) {
      assertThat(MAIN.stream().map(JavaClass::getPackageName))
          .as(module)
          .anyMatch(name -> name.startsWith("io.strowger." + module));
    }
  }

  @Test
  @DisplayName("marks every package with @NullMarked, so that nulls are checked everywhere")
  void nullMarked() {
    assertThat(MAIN.getPackage("io.strowger").getSubpackagesInTree())
        .filteredOn(found -> !found.getClasses().isEmpty())
        .isNotEmpty()
        .allSatisfy(
            found ->
                assertThat(found.isAnnotatedWith(NullMarked.class)).as(found.getName()).isTrue());
  }
}
