/** Answers and tools of a chat request as records. */
module io.strowger.typed {
  requires com.fasterxml.classmate;
  requires com.fasterxml.jackson.annotation;
  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.databind;
  requires com.fasterxml.jackson.datatype.jdk8;
  requires com.fasterxml.jackson.datatype.jsr310;
  requires com.github.victools.jsonschema.generator;
  requires com.github.victools.jsonschema.module.jackson;
  requires static transitive org.jspecify;
  requires transitive io.strowger.core;

  exports io.strowger.typed;
}
