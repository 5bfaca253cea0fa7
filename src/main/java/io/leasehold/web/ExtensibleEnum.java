package io.leasehold.web;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * An enumeration in an answer: the document shows a string with {@code x-extensible-enum}, so that
 * a client does not break on a new value. On a record component or field, enum-typed or String.
 */
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.RECORD_COMPONENT})
@Retention(RetentionPolicy.RUNTIME)
public @interface ExtensibleEnum {

  /** The values as they stand in the JSON. */
  String[] value() default {};

  /** Or the enum whose constants' names are the values. */
  Class<? extends Enum<?>> of() default None.class;

  /** No enum named. */
  enum None {}
}
