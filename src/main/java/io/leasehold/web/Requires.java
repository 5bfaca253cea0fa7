package io.leasehold.web;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The operation a controller method performs, as the matrix of roles knows it ({@code
 * lease-create}, {@code fleet-write}). A method without one, or with one the matrix lacks, stops
 * the start.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Requires {

  String value();
}
